// Forty more edits of the service: code that is given to calls, to streams and to other threads, and queries that are put into loops.
import type { ServiceEdit } from './edits.ts';

export const GIVEN_KINDS = [
  'lambda that runs once an element',
  'stream that is filtered, limited or ends early',
  'lambda that runs once or not at all',
  'code on another thread',
  'code that is kept or handed on',
  'query put into a loop',
] as const;

/** Of a call that newly runs in a loop and waits for another process, each time it runs. */
export const QUERY_KIND: GivenKind = 'query put into a loop';

type GivenKind = (typeof GIVEN_KINDS)[number];

type Row = readonly [method: string, from: string, to: string, added?: string];

const RETURN = '    return ';
const AUDIT = '    store.audit("review");\n';

const ROWS: Readonly<Record<GivenKind, readonly Row[]>> = {
  'lambda that runs once an element': [
    [
      'review',
      '    for (Order order : orders) {\n      sum += prices.price(store.product(order.product()));\n    }\n',
      '    sum += orders.stream().mapToLong(order -> prices.price(store.product(order.product()))).sum();\n',
    ],
    ['review', AUDIT, `    orders.forEach(order -> store.stock(order.product()));\n${AUDIT}`],
    ['greet', RETURN, '    KINDS.forEach(kind -> store.stock(kind.length()));\n    return '],
    ['compare', RETURN, '    List.of(1, 2, 3, 4, 5).forEach(i -> store.stock(id + i));\n    return '],
    ['compare', RETURN, '    Stream.of(one, other).map(Product::id).forEach(store::similar);\n    return '],
    ['stockOf', RETURN, '    IntStream.range(0, 5).forEach(i -> store.product(id + i));\n    return '],
    [
      'value',
      '    long sum = 0;\n    for (Order order : store.history(id)) {\n      sum += worth(order);\n    }\n',
      '    long sum = store.history(id).stream().mapToLong(this::worth).sum();\n',
    ],
    [
      'report',
      '    for (int i = 0; i < TOP; i++) {\n      all.addAll(store.history(id + i));\n    }\n',
      '    IntStream.range(0, 10).mapToObj(i -> store.history(id + i)).forEach(all::addAll);\n',
    ],
    ['suggest', RETURN, '    found.forEach(each -> store.similar(each.id()));\n    return '],
    [
      'browse',
      '    for (String kind : KINDS) {\n      found.addAll(store.similar(id + kind.length()));\n    }\n',
      '    KINDS.stream().map(kind -> store.similar(id + kind.length())).forEach(found::addAll);\n',
    ],
    [
      'checkout',
      '    for (int i = 0; i < 3; i++) {\n      stock += store.stock(id + i);\n    }\n',
      '    stock += IntStream.rangeClosed(1, 8).map(i -> store.stock(id + i)).sum();\n',
    ],
  ],
  'stream that is filtered, limited or ends early': [
    [
      'report',
      '    for (int i = 0; i < TOP; i++) {\n      all.addAll(store.history(id + i));\n    }\n',
      '    IntStream.range(0, TOP).filter(i -> i > 1).mapToObj(i -> store.history(id + i)).forEach(all::addAll);\n',
    ],
    ['stockOf', RETURN, '    IntStream.range(0, 10).limit(3).forEach(i -> store.product(id + i));\n    return '],
    ['greet', RETURN, '    KINDS.stream().map(kind -> store.similar(kind.length())).findFirst();\n    return '],
    [
      'compare',
      RETURN,
      '    if (IntStream.range(0, 6).anyMatch(i -> store.stock(id + i) > 20)) difference++;\n    return ',
    ],
    [
      'search',
      '    for (int i = 0; i < 12; i++) {\n      Product product = store.product(id + i);\n      if (product.cost() > 800) {\n        found = product.id();\n        break;\n      }\n    }\n',
      '    found = IntStream.range(0, 12).mapToObj(i -> store.product(id + i)).filter(each -> each.cost() > 800).findFirst().map(Product::id).orElse(-1);\n',
    ],
    [
      'browse',
      '    store.audit("browse");\n',
      '    KINDS.stream().map(kind -> store.similar(kind.length()));\n    store.audit("browse");\n',
    ],
    [
      'suggest',
      '    for (Product each : store.similar(product.id())) {\n      if (store.stock(each.id()) > 5) {\n        found.add(each);\n      }\n    }\n',
      '    store.similar(product.id()).stream().filter(each -> store.stock(each.id()) > 5).limit(1).forEach(found::add);\n',
    ],
  ],
  'lambda that runs once or not at all': [
    [
      'stockOf',
      RETURN,
      '    kept.computeIfAbsent(id, key -> store.similar(key).size());\n    return ',
      '  private final Map<Integer, Integer> kept = new HashMap<>();\n',
    ],
    [
      'review',
      'store.customer(id)',
      'known.computeIfAbsent(id, key -> store.customer(key))',
      '  private final Map<Integer, Customer> known = new HashMap<>();\n',
    ],
    ['greet', 'prices.discount(customer)', 'Optional.of(customer).map(prices::discount).orElse(0L)'],
    ['compare', RETURN, '    Objects.requireNonNullElseGet(one, () -> store.product(id + 2));\n    return '],
    ['suggest', RETURN, '    found.stream().findFirst().orElseGet(() -> store.product(id + 7));\n    return '],
    [
      'export',
      '    store.audit("export");\n',
      '    Map<Integer, Integer> counts = new HashMap<>();\n    for (Order order : orders) counts.merge(order.count() % 2, 1, (a, b) -> a + store.stock(b));\n    store.audit("export");\n',
    ],
  ],
  'code on another thread': [
    ['checkout', '    store.audit("checkout");\n', '    CompletableFuture.runAsync(() -> store.audit("checkout"));\n'],
    ['greet', 'prices.discount(customer)', 'CompletableFuture.supplyAsync(() -> prices.discount(customer)).join()'],
    ['review', AUDIT, `    new Thread(() -> prices.discount(customer)).start();\n${AUDIT}`],
    ['browse', '    store.audit("browse");\n', '    ForkJoinPool.commonPool().submit(() -> store.audit("browse"));\n'],
    ['export', '    store.audit("export");\n', '    ForkJoinPool.commonPool().execute(() -> store.audit("export"));\n'],
    ['greet', RETURN, '    List.of(1, 2, 3, 4).parallelStream().forEach(i -> store.stock(id + i));\n    return '],
  ],
  'code that is kept or handed on': [
    ['compare', RETURN, '    IntSupplier later = () -> store.stock(id);\n    return '],
    ['greet', RETURN, '    IntSupplier stock = () -> store.stock(id);\n    saved += stock.getAsInt();\n    return '],
    [
      'stockOf',
      RETURN,
      '    twice(() -> store.stock(id));\n    return ',
      '  private static int twice(IntSupplier supplier) {\n    return supplier.getAsInt() + supplier.getAsInt();\n  }\n',
    ],
    [
      'export',
      '    StringBuilder text',
      '    orders.sort(Comparator.comparingInt(order -> store.stock(order.product())));\n    StringBuilder text',
    ],
  ],
  'query put into a loop': [
    ['review', AUDIT, `    for (Order order : orders) store.items(order.id());\n${AUDIT}`],
    ['report', RETURN, '    all.forEach(order -> store.product(order.product()));\n    return '],
    [
      'browse',
      '    store.audit("browse");\n',
      '    for (int i = 0; i < 6; i++) found.add(store.product(id + i));\n    store.audit("browse");\n',
    ],
    ['convert', 'rates.rate(id)', 'IntStream.range(0, 3).mapToLong(i -> rates.rate(id + i)).sum()'],
    ['convert', RETURN, '    for (String kind : KINDS) rate += rates.rate(kind.length());\n    return '],
    [
      'named',
      '      return countOf(statement);',
      '      int count = 0;\n      for (int i = 0; i < 4; i++) count += countOf(statement);\n      return count;',
    ],
  ],
};

/** In the order of their kinds. */
export const GIVEN_EDITS: readonly ServiceEdit[] = GIVEN_KINDS.flatMap(kind =>
  ROWS[kind].map(([method, from, to, added]) => ({ kind, method, from, to, ...(added !== undefined && { added }) })),
);
