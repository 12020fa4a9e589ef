// The data of the service: rows of H2 in memory, read through JDBC by the thread that asks.
package shop;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

public final class Store {
  public record Customer(int id, String name, int level) {}

  public record Order(int id, int customer, int product, int count) {}

  public record Item(int order, int product, int count) {}

  public record Product(int id, String name, int category, int cost) {}

  public static final int IDS = 500;
  private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;OPTIMIZE_REUSE_RESULTS=0";
  private final ThreadLocal<Connection> connections = ThreadLocal.withInitial(Store::connect);

  public Store() {
    run("CREATE TABLE customer (id INT, name VARCHAR(40), level INT)");
    run("CREATE TABLE orders (id INT, customer INT, product INT, amount INT)");
    run("CREATE TABLE item (id INT, order_id INT, product INT, amount INT)");
    run("CREATE TABLE product (id INT, name VARCHAR(40), category INT, cost INT)");
    run("CREATE TABLE stock (product INT, place INT, amount INT)");
    run("CREATE TABLE audit (what VARCHAR(20), place INT, times INT)");
    for (int id = 0; id < IDS; id++) {
      run("INSERT INTO customer VALUES (?, ?, ?)", id, "customer " + id, id % 5);
      run("INSERT INTO product VALUES (?, ?, ?, ?)", id, "product " + id, id % 20, id * 37 % 1000);
      for (int place = 0; place < 2; place++) run("INSERT INTO stock VALUES (?, ?, ?)", id, place, id * 7 % 6);
      for (int i = 0; i < 4 + id % 5; i++) {
        int order = id * 10 + i;
        run("INSERT INTO orders VALUES (?, ?, ?, ?)", order, id, (id * 3 + i * 11) % IDS, 1 + i);
        for (int k = 0; k < 2; k++)
          run("INSERT INTO item VALUES (?, ?, ?, ?)", order * 10 + k, order, (order + k) % IDS, k + 1);
      }
    }
    for (String what : List.of("review", "checkout", "browse", "export"))
      for (int place = 0; place < 80; place++) run("INSERT INTO audit VALUES (?, ?, 0)", what, place);
  }

  public Customer customer(int id) {
    String query = "SELECT id, name, level FROM customer WHERE name = ?";
    return rows(query, row -> {
      return new Customer(row.getInt(1), row.getString(2), row.getInt(3));
    }, "customer " + Math.floorMod(id, IDS)).get(0);
  }

  public List<Order> history(int customer) {
    return rows("SELECT id, customer, product, amount FROM orders WHERE customer = ? ORDER BY id", row -> {
      return new Order(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4));
    }, Math.floorMod(customer, IDS));
  }

  public List<Item> items(int order) {
    return rows("SELECT order_id, product, amount FROM item WHERE order_id = ? ORDER BY id", row -> {
      return new Item(row.getInt(1), row.getInt(2), row.getInt(3));
    }, order);
  }

  public Product product(int id) {
    String query = "SELECT id, name, category, cost FROM product WHERE name = ?";
    return rows(query, Store::productOf, "product " + Math.floorMod(id, IDS)).get(0);
  }

  public int stock(int product) {
    String query = "SELECT SUM(amount) FROM stock WHERE product = ?";
    return rows(query, row -> row.getInt(1), Math.floorMod(product, IDS)).get(0);
  }

  public List<Product> similar(int product) {
    String query = "SELECT id, name, category, cost FROM product WHERE category = ? AND name LIKE '%o%' ORDER BY cost, id LIMIT 5";
    return rows(query, Store::productOf, Math.floorMod(product, 20));
  }

  public void audit(String what) {
    run("UPDATE audit SET times = times + 1 WHERE what = ? AND place = ?", what, what.length());
  }

  public PreparedStatement statement(String query) throws SQLException {
    return connections.get().prepareStatement(query);
  }

  private static Product productOf(ResultSet row) throws SQLException {
    return new Product(row.getInt(1), row.getString(2), row.getInt(3), row.getInt(4));
  }

  private interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> rows(String query, Reader<T> reader, Object... values) {
    try (PreparedStatement statement = connections.get().prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      List<T> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) found.add(reader.read(rows));
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void run(String query, Object... values) {
    try (PreparedStatement statement = connections.get().prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect() {
    try {
      return DriverManager.getConnection(URL);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
