// A program that H2 does the work of: one thread scans a table with an expression that no index helps, others share one connection.
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

public final class H2Work {
  public static void main(String[] args) throws Exception {
    long end = System.currentTimeMillis() + Long.parseLong(args[0]) * 1000;
    try (Connection shared = DriverManager.getConnection("jdbc:h2:mem:work;DB_CLOSE_DELAY=-1");
        Statement create = shared.createStatement()) {
      create.execute("create table item(id int primary key, name varchar(80))");
      create.execute("insert into item select x, 'item number ' || x from system_range(1, 20000)");
      Thread[] others = new Thread[3];
      for (int i = 0; i < others.length; i++) {
        others[i] = new Thread(() -> scan(shared, end), "scanner-" + i);
        others[i].start();
      }
      for (Thread each : others) each.join();
    }
  }

  private static void scan(Connection connection, long end) {
    try (PreparedStatement find = connection.prepareStatement("select count(*) from item where name regexp ?")) {
      while (System.currentTimeMillis() < end) {
        find.setString(1, "r (1|2|3)+7$");
        try (ResultSet found = find.executeQuery()) {
          found.next();
        }
      }
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
