// By what the handlers of one version of the class with them are called.
package shop;

public interface Answers {
  Object answer(String what, int id);
}
