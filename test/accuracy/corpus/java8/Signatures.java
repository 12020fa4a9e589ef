// Types in signatures as they may be written: imported on demand, qualified, annotated, shadowed, inherited, of the same package, in arrays.
package corpus;

import static java.lang.Math.max;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.util.*;
import java.util.concurrent.locks.*;

public class Signatures<T extends CharSequence> extends Parent {
  @Target({ElementType.TYPE_USE, ElementType.PARAMETER})
  @interface Sure {}

  int take(Deque<T> onDemand) {
    return onDemand.size();
  }

  int take(Lock fromTheOther) {
    return fromTheOther.hashCode();
  }

  int take(Beside samePackage) {
    return samePackage.beside();
  }

  int take(Held inherited) {
    return inherited.held();
  }

  int take(Parent.Held[] inheritedArray) {
    return inheritedArray.length;
  }

  int take(java.util.Map.Entry<String, T> qualified) {
    return qualified.hashCode();
  }

  int take(@Sure String annotated, final int kept) {
    return annotated.length() + kept;
  }

  int take(@Sure String @Sure [] annotatedArray, int @Sure ... more) {
    return annotatedArray.length + more.length;
  }

  int take(String[] mixed[], T[]... variables) {
    return mixed.length + variables.length;
  }

  int take(Iterator<? extends List<? super T[]>> wild, StringBuilder text) {
    return max(wild.hashCode(), text.length());
  }

  // A type variable hides a class of its name.
  <Beside extends Runnable> int hidden(Beside variable) {
    variable.run();
    return 1;
  }

  int hidden(Object other) {
    return other.hashCode();
  }

  static class Apart<T extends Number> {
    // Not the type variable of the class around.
    int cut(T number) {
      return number.intValue();
    }

    int cut(CharSequence text) {
      return text.length();
    }
  }

  int twice(int x) {
    return max(x, max(x, 1)) + max(1, x);
  }
}

class Parent {
  static class Held {
    int held() {
      return 1;
    }
  }
}
