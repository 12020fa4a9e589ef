// What the service answers: the class whose methods are edited.
package shop;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import shop.Store.Customer;
import shop.Store.Item;
import shop.Store.Order;
import shop.Store.Product;

public final class Desk implements Answers {
  static final int TOP = 4;
  static final List<String> KINDS = List.of("new", "sale", "gift");
  private final Store store;
  private final Prices prices;
  private final Pages pages;
  private final Rates rates;

  public Desk(Store store, Prices prices, Pages pages, Rates rates) {
    this.store = store;
    this.prices = prices;
    this.pages = pages;
    this.rates = rates;
  }

  @Override
  public Object answer(String what, int id) {
    return switch (what) {
      case "review" -> review(id);
      case "total" -> total(id);
      case "suggest" -> suggest(id);
      case "checkout" -> checkout(id);
      case "report" -> report(id);
      case "browse" -> browse(id);
      case "tree" -> tree(id);
      case "search" -> search(id);
      case "export" -> export(id);
      case "stockOf" -> stockOf(id);
      case "greet" -> greet(id);
      case "compare" -> compare(id);
      case "value" -> value(id);
      case "named" -> named(id);
      case "convert" -> convert(id);
      default -> throw new IllegalArgumentException(what);
    };
  }

  String review(int id) {
    Customer customer = store.customer(id);
    List<Order> orders = store.history(id);
    long sum = 0;
    for (Order order : orders) {
      sum += prices.price(store.product(order.product()));
    }
    store.audit("review");
    return pages.json(Map.of("customer", customer, "sum", sum));
  }

  String total(int id) {
    int count = 0;
    for (Order order : store.history(id)) {
      for (Item item : store.items(order.id())) {
        count += item.count();
      }
    }
    return pages.json(Map.of("count", count));
  }

  String suggest(int id) {
    Product product = store.product(id);
    List<Product> found = new ArrayList<>();
    for (Product each : store.similar(product.id())) {
      if (store.stock(each.id()) > 5) {
        found.add(each);
      }
    }
    return pages.json(found);
  }

  String checkout(int id) {
    Customer customer = store.customer(id);
    if (customer.level() == 0) {
      return "";
    }
    long saved = 0;
    if (customer.level() > 2) {
      saved = prices.discount(customer);
    }
    int stock = 0;
    for (int i = 0; i < 3; i++) {
      stock += store.stock(id + i);
    }
    store.audit("checkout");
    return pages.json(Map.of("saved", saved, "stock", stock));
  }

  String report(int id) {
    List<Order> all = new ArrayList<>();
    for (int i = 0; i < TOP; i++) {
      all.addAll(store.history(id + i));
    }
    return pages.json(all);
  }

  String browse(int id) {
    List<Product> found = new ArrayList<>();
    for (String kind : KINDS) {
      found.addAll(store.similar(id + kind.length()));
    }
    store.audit("browse");
    return pages.json(found.get(0));
  }

  long tree(int id) {
    long sum = store.product(id).cost();
    if (id > 0) {
      sum += tree(id / 4);
    }
    return sum;
  }

  int search(int id) {
    int found = -1;
    for (int i = 0; i < 12; i++) {
      Product product = store.product(id + i);
      if (product.cost() > 800) {
        found = product.id();
        break;
      }
    }
    return found;
  }

  String export(int id) {
    List<Order> orders = store.history(id);
    if (orders.size() > 7) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (Order order : orders) {
      if (order.count() == 1) {
        continue;
      }
      text.append(pages.json(store.items(order.id())));
    }
    store.audit("export");
    return text.toString();
  }

  int stockOf(int id) {
    Product product = store.product(id);
    return product.category() < 10 ? store.stock(id) : store.similar(id).size();
  }

  String greet(int id) {
    Customer customer = store.customer(id);
    long saved = prices.discount(customer);
    return pages.json(Map.of("name", customer.name(), "saved", saved));
  }

  String compare(int id) {
    Product one = store.product(id);
    Product other = store.product(id + 1);
    long difference = prices.price(one) - prices.price(other);
    return pages.json(List.of(one, other, difference));
  }

  String value(int id) {
    long sum = 0;
    for (Order order : store.history(id)) {
      sum += worth(order);
    }
    return pages.json(Map.of("value", sum));
  }

  int named(int id) {
    try (PreparedStatement statement = store.statement("SELECT COUNT(*) FROM product WHERE category = ?")) {
      statement.setInt(1, id % 20);
      return countOf(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int countOf(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  String convert(int id) {
    Product product = store.product(id);
    long rate = rates.rate(id);
    return pages.json(Map.of("cost", product.cost() * rate));
  }

  private long worth(Order order) {
    Product product = store.product(order.product());
    return prices.price(product) * order.count() - store.stock(product.id());
  }
}
