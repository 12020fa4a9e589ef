// The smallest compact source files begin with a type or with main itself.
record Pair(int left, int right) {
  int sum() {
    return left + right;
  }
}

void main(String[] args) {
  Runnable run = () -> IO.println(new Pair(1, 2).sum());
  run.run();
}
