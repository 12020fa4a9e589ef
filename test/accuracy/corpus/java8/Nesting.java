// Types nested in every way: members, inner classes, local and anonymous classes in bodies, fields, arguments and lambdas.
package corpus;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

public class Nesting {
  private final int base;
  final Runnable inField = new Runnable() {
    @Override
    public void run() {
      Nesting.use("field");
    }
  };
  static final Runnable IN_STATIC_FIELD = new Runnable() {
    @Override
    public void run() {
      Nesting.use("static field");
    }
  };

  Nesting(int base) {
    this.base = base;
  }

  Nesting(Supplier<Integer> supplier) {
    this(new Object() {
      int value() {
        return supplier.get();
      }
    }.value());
  }

  static void use(Object value) {
    if (value == null) throw new IllegalArgumentException();
  }

  class Inner {
    final long sum;

    Inner(int more) {
      sum = base + more;
    }

    Inner(int more, String name) {
      this(more + name.length());
    }

    class Deep {
      Deep(Inner other) {
        use(other.sum + base);
      }

      long get() {
        return sum;
      }
    }
  }

  static class Member {
    private int secret;

    private Member() {
      secret = 1;
    }

    private static int hidden(Member member) {
      return member.secret;
    }

    static class With$Dollar {
      int dollar() {
        return 1;
      }

      static class $ {
        int lone() {
          return 2;
        }
      }
    }
  }

  int reach() {
    Member member = new Member();
    member.secret += 2;
    member.secret++;
    return Member.hidden(member);
  }

  interface Shape {
    double area();

    class Square implements Shape {
      final double side;

      Square(double side) {
        this.side = side;
      }

      public double area() {
        return side * side;
      }
    }
  }

  @interface Mark {
    String value() default "";

    class Constants {
      static final Object HERE = new Object();
    }
  }

  List<Comparator<String>> locals(final String prefix, final int limit) {
    final long factor = limit * 2L;
    class Local implements Comparator<String> {
      private final int own;

      Local(int own) {
        this.own = own;
      }

      Local() {
        this(prefix.length());
      }

      @Override
      public int compare(String left, String right) {
        return (int) (left.compareTo(right) * factor + own + base);
      }
    }
    List<Comparator<String>> list = new ArrayList<Comparator<String>>();
    list.add(new Local(3));
    list.add(new Local());
    list.add(new Comparator<String>() {
      private final int start = prefix.length();

      {
        use(start);
      }

      @Override
      public int compare(String left, String right) {
        return new Comparator<String>() {
          @Override
          public int compare(String first, String second) {
            return first.length() - second.length() + start;
          }
        }.compare(left, right);
      }
    });
    return list;
  }

  static Object sameNames(boolean which) {
    if (which) {
      class Local {
        @Override
        public String toString() {
          return "first";
        }
      }
      return new Local();
    }
    class Local {
      @Override
      public String toString() {
        return "second";
      }
    }
    return new Local();
  }

  static Supplier<Object> inLambda() {
    return () -> new Object() {
      @Override
      public String toString() {
        class Local {
          int twice(int x) {
            return x * 2;
          }
        }
        return "in lambda " + new Local().twice(4);
      }
    };
  }

  static class Argument extends Nesting {
    Argument(final String text) {
      super(new Supplier<Integer>() {
        @Override
        public Integer get() {
          return text.length();
        }
      });
      use(new Object() {
        @Override
        public int hashCode() {
          return text.hashCode();
        }
      });
    }
  }

  static Object nestedArguments() {
    return new ArrayList<Object>(new ArrayList<Object>() {
      @Override
      public int size() {
        return 0;
      }
    }) {
      @Override
      public int size() {
        return 1;
      }
    };
  }

  Inner.Deep qualified(Inner inner) {
    return inner.new Deep(this.new Inner(1)) {
      @Override
      long get() {
        return super.get() + 1;
      }
    };
  }
}

class Beside {
  int beside() {
    return new Object() {
      int inner() {
        return 1;
      }
    }.inner();
  }
}
