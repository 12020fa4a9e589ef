// Fixed work on H2 in memory, by one thread, without a clock: a shop that takes orders, looks them up, reprices them and reports. Workload ROUNDS

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

public final class Workload {
    private static final String URL = "jdbc:h2:mem:shop;ANALYZE_AUTO=0";
    private static final int CUSTOMERS = 400;
    private static final int PRODUCTS = 800;
    private static final int LINES = 4;
    private static final String[] REGIONS = {"north", "east", "south", "west", "centre"};
    private static final String[] MATERIALS = {"oak", "steel", "linen", "glass", "copper", "wool", "paper"};
    private static final String[] KINDS = {"chair", "lamp", "table", "shelf", "clock", "mirror"};

    private final Connection connection;
    private int random = 42;
    private long seen;

    private Workload(Connection connection) {
        this.connection = connection;
    }

    public static void main(String[] args) throws SQLException {
        int rounds = Integer.parseInt(args[0]);
        try (Connection connection = DriverManager.getConnection(URL)) {
            Workload workload = new Workload(connection);
            workload.fill();
            workload.run(rounds);
            System.out.println(workload.seen);
        }
    }

    /** Linear congruential: the same numbers in each run. */
    private int next(int bound) {
        random = random * 1664525 + 1013904223;
        return (random >>> 8) % bound;
    }

    private void fill() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(60), region VARCHAR(20))");
            statement.execute("CREATE TABLE product (id INT PRIMARY KEY, name VARCHAR(80), price DECIMAL(10, 2), stock INT)");
            statement.execute("CREATE TABLE orders (id INT PRIMARY KEY, customer INT, total DECIMAL(12, 2), note VARCHAR(200))");
            statement.execute("CREATE TABLE line (id INT PRIMARY KEY, orders INT, product INT, pieces INT, price DECIMAL(10, 2))");
            statement.execute("CREATE INDEX orders_customer ON orders (customer)");
            statement.execute("CREATE INDEX line_orders ON line (orders)");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO customer VALUES (?, ?, ?)")) {
            for (int id = 0; id < CUSTOMERS; id++) {
                insert.setInt(1, id);
                insert.setString(2, "customer " + next(100_000));
                insert.setString(3, REGIONS[id % REGIONS.length]);
                insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO product VALUES (?, ?, ?, ?)")) {
            for (int id = 0; id < PRODUCTS; id++) {
                insert.setInt(1, id);
                insert.setString(2, MATERIALS[next(MATERIALS.length)] + " " + KINDS[next(KINDS.length)] + " no. " + id);
                insert.setBigDecimal(3, java.math.BigDecimal.valueOf(100 + next(90_000), 2));
                insert.setInt(4, 1_000);
                insert.executeUpdate();
            }
        }
    }

    private void run(int rounds) throws SQLException {
        connection.setAutoCommit(false);
        for (int round = 0; round < rounds; round++) {
            takeOrder(round);
            readOrder(next(round + 1));
            ordersOf(next(CUSTOMERS));
            lookUp(next(PRODUCTS), next(CUSTOMERS));
            reprice(next(PRODUCTS));
            if (round % 30 == 0) search(MATERIALS[next(MATERIALS.length)], KINDS[next(KINDS.length)]);
            if (round % 40 == 0) report(Math.max(0, round - 400));
            if (round % 25 == 0) connection.commit();
        }
        connection.commit();
    }

    private void takeOrder(int id) throws SQLException {
        int customer = next(CUSTOMERS);
        try (PreparedStatement order = connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?, ?)");
                PreparedStatement line = connection.prepareStatement("INSERT INTO line VALUES (?, ?, ?, ?, ?)")) {
            long cents = 0;
            for (int at = 0; at < LINES; at++) {
                int pieces = 1 + next(5);
                long price = 100 + next(90_000);
                cents += pieces * price;
                line.setInt(1, id * LINES + at);
                line.setInt(2, id);
                line.setInt(3, next(PRODUCTS));
                line.setInt(4, pieces);
                line.setBigDecimal(5, java.math.BigDecimal.valueOf(price, 2));
                line.executeUpdate();
            }
            order.setInt(1, id);
            order.setInt(2, customer);
            order.setBigDecimal(3, java.math.BigDecimal.valueOf(cents, 2));
            order.setString(4, "order " + id + " of customer " + customer + ", to be delivered to the back door");
            order.executeUpdate();
        }
    }

    private void readOrder(int id) throws SQLException {
        String sql = "SELECT p.name, l.pieces, l.pieces * l.price FROM line l JOIN product p ON p.id = l.product"
                + " WHERE l.orders = ? ORDER BY 3 DESC";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, id);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) seen += rows.getString(1).length() + rows.getInt(2);
            }
        }
    }

    private void ordersOf(int customer) throws SQLException {
        String sql = "SELECT id, total FROM orders WHERE customer = ? ORDER BY id DESC LIMIT 10";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, customer);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) seen += rows.getInt(1);
            }
        }
    }

    /** Each statement has another text, which is parsed anew. */
    private void lookUp(int product, int customer) throws SQLException {
        String sql = "SELECT p.id AS \"product\", p.name AS \"name of the product\", c.name AS \"customer\" FROM product p, customer c"
                + " WHERE p.id = " + product + " AND c.id = " + customer + " AND c.region <> 'nowhere at all' /* looked up */";
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) seen += rows.getString(2).length();
        }
    }

    private void reprice(int product) throws SQLException {
        String sql = "UPDATE product SET stock = stock - 1, price = price * 1.0001 WHERE id BETWEEN ? AND ?";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setInt(1, product);
            update.setInt(2, product + 3);
            seen += update.executeUpdate();
        }
    }

    private void search(String material, String kind) throws SQLException {
        String sql = "SELECT id, name FROM product WHERE name LIKE ? AND stock > 0";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, "%" + material + "_" + kind + "%7%");
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) seen += rows.getInt(1);
            }
        }
    }

    private void report(int from) throws SQLException {
        String sql = "SELECT c.region, COUNT(*), SUM(o.total), MAX(o.total) FROM orders o JOIN customer c ON c.id = o.customer"
                + " WHERE o.id >= ? GROUP BY c.region ORDER BY 2 DESC, 1";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, from);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) seen += rows.getLong(2);
            }
        }
    }
}
