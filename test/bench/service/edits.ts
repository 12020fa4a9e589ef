// The edits of the service: a hundred and twenty of thirteen kinds, each a piece of one method's text that is replaced.

export const EDIT_KINDS = [
  'call added',
  'call removed',
  'call replaced',
  'call added in a loop',
  'call moved into a loop',
  'loop added, its length in the text',
  'bound of a loop changed',
  'loop added, its length not known',
  'guard added',
  'guard removed',
  'exit of a loop added or removed',
  'recursion',
  'code extracted, inlined or moved',
] as const;

type ServiceEditKind = (typeof EDIT_KINDS)[number];

/** `from` stands once in the method. */
export type ServiceEdit = {
  readonly kind: string;
  readonly method: string;
  readonly from: string;
  readonly to: string;
  /** Methods that the edit adds to the class. */
  readonly added?: string;
};

type Row = readonly [method: string, from: string, to: string, added?: string];

const AUDIT = '    store.audit("review");\n';
const RETURN = '    return ';

const ROWS: Readonly<Record<ServiceEditKind, readonly Row[]>> = {
  'call added': [
    ['review', AUDIT, `${AUDIT}    sum -= prices.discount(customer);\n`],
    ['review', AUDIT, `    sum += store.stock(id);\n${AUDIT}`],
    ['total', RETURN, '    store.audit("review");\n    return '],
    ['suggest', RETURN, '    found.add(store.product(store.history(id).get(0).product()));\n    return '],
    ['report', RETURN, '    store.similar(id);\n    return '],
    ['browse', '    store.audit("browse");\n', '    store.audit("browse");\n    found.add(store.product(id));\n'],
    ['stockOf', RETURN, '    prices.price(product);\n    return '],
    ['greet', RETURN, '    saved += store.history(id).size();\n    return '],
    ['compare', RETURN, '    difference += store.similar(id).size();\n    return '],
  ],
  'call removed': [
    ['review', AUDIT, ''],
    ['suggest', 'store.similar(product.id())', 'List.of(product, product)'],
    ['checkout', '    store.audit("checkout");\n', ''],
    ['browse', '    store.audit("browse");\n', ''],
    ['greet', '    long saved = prices.discount(customer);\n', '    long saved = 3;\n'],
    ['compare', 'prices.price(one) - prices.price(other)', 'prices.price(one) - 7'],
    ['compare', 'store.product(id + 1)', 'one'],
    ['report', 'pages.json(all)', 'String.valueOf(all.size())'],
    ['export', 'pages.json(store.items(order.id()))', 'store.items(order.id()).size()'],
  ],
  'call replaced': [
    ['review', AUDIT, '    sum += store.stock(id);\n'],
    ['review', 'prices.price(store.product(order.product()))', 'store.stock(order.product())'],
    [
      'total',
      'for (Item item : store.items(order.id())) {\n        count += item.count();\n      }',
      'count += store.stock(order.product());',
    ],
    ['browse', '    store.audit("browse");\n', '    found.add(store.product(id));\n'],
    ['greet', 'prices.discount(customer)', 'store.stock(id)'],
    ['greet', 'prices.discount(customer)', 'store.history(id).size()'],
    ['compare', 'store.product(id + 1)', 'store.similar(id).get(0)'],
    ['suggest', 'store.stock(each.id()) > 5', 'prices.price(each) > 500'],
    ['checkout', 'store.stock(id + i)', 'store.product(id + i).cost()'],
  ],
  'call added in a loop': [
    [
      'review',
      '    for (Order order : orders) {\n',
      '    for (Order order : orders) {\n      sum -= store.stock(order.product());\n',
    ],
    [
      'review',
      '    for (Order order : orders) {\n',
      '    for (Order order : orders) {\n      store.audit("review");\n',
    ],
    ['total', '      for (Item item', '      count += store.stock(order.product());\n      for (Item item'],
    [
      'total',
      '        count += item.count();\n',
      '        count += item.count() * store.product(item.product()).cost();\n',
    ],
    ['suggest', '      if (store.stock', '      prices.price(each);\n      if (store.stock'],
    ['report', '      all.addAll', '      store.customer(id + i);\n      all.addAll'],
    ['browse', '      found.addAll', '      found.add(store.product(id));\n      found.addAll'],
    [
      'checkout',
      '      stock += store.stock(id + i);\n',
      '      stock += store.stock(id + i);\n      store.product(id + i);\n',
    ],
    ['value', '      sum += worth(order);\n', '      sum += worth(order) + store.items(order.id()).size();\n'],
    ['search', '      if (product.cost() > 800) {\n', '      if (product.cost() + store.stock(id) > 800) {\n'],
  ],
  'call moved into a loop': [
    ['review', `    }\n${AUDIT}`, '      store.audit("review");\n    }\n'],
    ['browse', '    }\n    store.audit("browse");\n', '      store.audit("browse");\n    }\n'],
    ['checkout', '    }\n    store.audit("checkout");\n', '      store.audit("checkout");\n    }\n'],
    ['export', '    }\n    store.audit("export");\n', '      store.audit("export");\n    }\n'],
    [
      'review',
      '    Customer customer = store.customer(id);\n',
      '    Customer customer = null;\n    for (int i = 0; i < 5; i++) customer = store.customer(id);\n',
    ],
    [
      'suggest',
      '    Product product = store.product(id);\n',
      '    Product product = null;\n    for (int i = 0; i < 8; i++) product = store.product(id);\n',
    ],
    [
      'greet',
      '    long saved = prices.discount(customer);\n',
      '    long saved = 0;\n    for (int i = 0; i < TOP; i++) saved += prices.discount(customer);\n',
    ],
    [
      'compare',
      '    Product other = store.product(id + 1);\n',
      '    Product other = one;\n    for (String kind : KINDS) other = store.product(id + kind.length());\n',
    ],
    [
      'value',
      'return pages.json(Map.of("value", sum));',
      'String text = "";\n    for (int i = 0; i < 3; i++) text = pages.json(Map.of("value", sum));\n    return text;',
    ],
  ],
  'loop added, its length in the text': [
    ['review', AUDIT, `    for (int i = 0; i < 3; i++) sum += store.stock(id + i);\n${AUDIT}`],
    ['review', AUDIT, `    for (int i = 1; i <= TOP; i++) {\n      store.product(id + i);\n    }\n${AUDIT}`],
    [
      'total',
      RETURN,
      '    for (String kind : KINDS) {\n      count += store.similar(kind.length()).size();\n    }\n    return ',
    ],
    [
      'suggest',
      RETURN,
      '    for (int i = 0; i < 2; i++)\n      for (int k = 0; k < 3; k++) found.add(store.product(i + k));\n    return ',
    ],
    [
      'greet',
      RETURN,
      '    for (String what : List.of("a", "b", "c", "d", "e")) saved += store.stock(what.length());\n    return ',
    ],
    ['compare', RETURN, '    for (int i = 10; i > 0; i--) difference += store.stock(id + i);\n    return '],
    ['stockOf', RETURN, '    for (int i = 0; i < 10; i += 2) store.product(id + i);\n    return '],
    [
      'export',
      '    store.audit("export");\n',
      '    int times = 3;\n    for (int i = 0; i < times; i++) store.audit("export");\n',
    ],
    [
      'value',
      RETURN,
      '    for (int i = 0; i < 4; i++) {\n      if (sum > 0) sum += prices.discount(store.customer(i));\n    }\n    return ',
    ],
  ],
  'bound of a loop changed': [
    ['checkout', 'i < 3', 'i < 10'],
    ['checkout', 'i < 3', 'i < 1'],
    ['checkout', 'int i = 0;', 'int i = -6;'],
    ['report', 'i < TOP', 'i < 10'],
    ['report', 'i < TOP', 'i < 2 * TOP'],
    ['report', 'i++', 'i += 2'],
    ['browse', 'String kind : KINDS', 'String kind : List.of("new", "sale", "gift", "used", "old", "rare")'],
    ['search', 'i < 12', 'i < 40'],
    ['review', 'Order order : orders', 'Order order : orders.subList(0, 2)'],
    ['total', 'Order order : store.history(id)', 'Order order : store.history(id).subList(0, 1)'],
  ],
  'loop added, its length not known': [
    ['review', AUDIT, `    for (Product each : store.similar(id)) sum += store.stock(each.id());\n${AUDIT}`],
    ['greet', RETURN, '    for (Order order : store.history(id)) saved += store.stock(order.product());\n    return '],
    ['stockOf', RETURN, '    for (int i = 0; i < product.category(); i++) store.stock(id + i);\n    return '],
    ['compare', RETURN, '    while (difference > 0) {\n      difference -= 50 + store.stock(id);\n    }\n    return '],
    [
      'browse',
      '    store.audit("browse");\n',
      '    for (Product each : found) {\n      store.stock(each.id());\n    }\n    store.audit("browse");\n',
    ],
    [
      'checkout',
      '    store.audit("checkout");\n',
      '    do {\n      stock += 3 + store.stock(id);\n    } while (stock < 60);\n    store.audit("checkout");\n',
    ],
    ['suggest', RETURN, '    for (int i = 0; i < found.size(); i++) prices.price(found.get(i));\n    return '],
    [
      'value',
      '      sum += worth(order);\n',
      '      for (Item item : store.items(order.id())) sum += store.stock(item.product());\n      sum += worth(order);\n',
    ],
    ['report', RETURN, '    for (Order order : all) store.product(order.product());\n    return '],
  ],
  'guard added': [
    ['review', AUDIT, `    if (sum > 100_000) ${AUDIT.trim()}\n`],
    [
      'review',
      '    List<Order> orders',
      '    if (customer.level() == 1) {\n      return "";\n    }\n    List<Order> orders',
    ],
    ['total', '      for (Item item', '      if (order.count() > 2) for (Item item'],
    ['suggest', 'store.stock(each.id()) > 5', 'each.cost() > 500 && store.stock(each.id()) > 5'],
    ['greet', 'prices.discount(customer)', 'customer.level() > 2 ? prices.discount(customer) : 0'],
    ['compare', RETURN, '    if (difference > 0) {\n      difference += store.similar(id).size();\n    }\n    return '],
    ['report', '      all.addAll', '      if (id % 2 == 0) all.addAll'],
    [
      'export',
      '    store.audit("export");\n',
      '    if (text.length() > 0 || store.stock(id) > 3) store.audit("export");\n',
    ],
    ['value', '      sum += worth(order);\n', '      if (order.count() < 3) sum += worth(order);\n'],
  ],
  'guard removed': [
    ['checkout', '    if (customer.level() == 0) {\n      return "";\n    }\n', ''],
    [
      'checkout',
      '    if (customer.level() > 2) {\n      saved = prices.discount(customer);\n    }\n',
      '    saved = prices.discount(customer);\n',
    ],
    ['export', '    if (orders.size() > 7) {\n      return "";\n    }\n', ''],
    ['export', '      if (order.count() == 1) {\n        continue;\n      }\n', ''],
    ['stockOf', 'product.category() < 10 ? store.stock(id) : store.similar(id).size()', 'store.stock(id)'],
    ['stockOf', 'product.category() < 10 ? store.stock(id) : store.similar(id).size()', 'store.similar(id).size()'],
    ['checkout', 'if (customer.level() > 2)', 'if (customer.level() > 3)'],
    ['export', 'order.count() == 1', 'order.count() < 3'],
    [
      'suggest',
      '      if (store.stock(each.id()) > 5) {\n        found.add(each);\n      }\n',
      '      found.add(each);\n',
    ],
  ],
  'exit of a loop added or removed': [
    ['search', '        break;\n', ''],
    ['search', '        found = product.id();\n        break;\n', '        return product.id();\n'],
    ['review', '    for (Order order : orders) {\n', '    for (Order order : orders) {\n      if (sum > 800) break;\n'],
    ['total', '      for (Item item', '      if (count > 3) break;\n      for (Item item'],
    [
      'total',
      '        count += item.count();\n',
      '        count += item.count();\n        if (count > 8) return "";\n',
    ],
    ['suggest', '        found.add(each);\n', '        found.add(each);\n        break;\n'],
    ['report', '      all.addAll', '      if (all.size() > 10) break;\n      all.addAll'],
    [
      'checkout',
      '      stock += store.stock(id + i);\n',
      '      stock += store.stock(id + i);\n      if (stock > 8) break;\n',
    ],
    [
      'value',
      '      sum += worth(order);\n',
      '      if (order.count() % 2 == 0) continue;\n      sum += worth(order);\n',
    ],
    ['export', '        continue;\n', '        break;\n'],
  ],
  recursion: [
    ['tree', '      sum += tree(id / 4);\n', '      sum += tree(id / 4) + tree(id / 4);\n'],
    ['tree', '      sum += tree(id / 4);\n', '      sum += tree(id / 4);\n      sum += tree(id / 5);\n'],
    ['tree', '    if (id > 0) {\n', '    if (id > 3) {\n'],
    ['tree', 'tree(id / 4)', 'tree(id / 2)'],
    ['tree', '    return sum;', '    sum += store.stock(id);\n    return sum;'],
    ['tree', '      sum += tree(id / 4);\n', '      for (int i = 0; i < 2; i++) sum += tree(id / 4);\n'],
    ['value', '      sum += worth(order);\n', '      sum += worth(order) + tree(order.product());\n'],
    ['stockOf', RETURN, '    if (id > 1) stockOf(id / 2);\n    return '],
  ],
  'code extracted, inlined or moved': [
    [
      'review',
      '    for (Order order : orders) {\n      sum += prices.price(store.product(order.product()));\n    }\n',
      '    sum = sumOf(orders);\n',
      '  private long sumOf(List<Order> all) {\n    long result = 0;\n    for (Order each : all) {\n      result += prices.price(store.product(each.product()));\n    }\n    return result;\n  }\n',
    ],
    [
      'value',
      'worth(order)',
      'prices.price(store.product(order.product())) * order.count() - store.stock(order.product())',
    ],
    [
      'suggest',
      '      if (store.stock(each.id()) > 5) {\n        found.add(each);\n      }\n',
      '      addIfThere(each, found);\n',
      '  private void addIfThere(Product product, List<Product> all) {\n    if (store.stock(product.id()) > 5) {\n      all.add(product);\n    }\n  }\n',
    ],
    [
      'export',
      '      if (order.count() == 1) {\n        continue;\n      }\n      text.append(pages.json(store.items(order.id())));\n',
      '      append(order, text);\n',
      '  private void append(Order order, StringBuilder text) {\n    if (order.count() == 1) {\n      return;\n    }\n    text.append(pages.json(store.items(order.id())));\n  }\n',
    ],
    [
      'review',
      '    Customer customer = store.customer(id);\n    List<Order> orders = store.history(id);\n',
      '    List<Order> orders = store.history(id);\n    Customer customer = store.customer(id);\n',
    ],
    [
      'total',
      '      for (Item item : store.items(order.id())) {\n        count += item.count();\n      }\n',
      '      List<Item> all = store.items(order.id());\n      for (Item each : all) count += each.count();\n',
    ],
    [
      'compare',
      '    long difference = prices.price(one) - prices.price(other);\n',
      '    long difference = differenceOf(one, other) + store.stock(id);\n',
      '  private long differenceOf(Product a, Product b) {\n    return prices.price(a) - prices.price(b);\n  }\n',
    ],
    [
      'checkout',
      '    int stock = 0;\n    for (int i = 0; i < 3; i++) {\n      stock += store.stock(id + i);\n    }\n',
      '    int stock = stocks(id);\n',
      '  private int stocks(int id) {\n    int stock = 0;\n    for (int i = 0; i < 9; i++) {\n      stock += store.stock(id + i);\n    }\n    return stock;\n  }\n',
    ],
    [
      'browse',
      'for (String kind : KINDS) {\n      found.addAll(store.similar(id + kind.length()));\n    }',
      'for (String each : KINDS) found.addAll(store.similar(id + each.length()));',
    ],
    [
      'greet',
      '    Customer customer = store.customer(id);\n    long saved = prices.discount(customer);\n',
      '    Customer customer = store.customer(id);\n    long saved = savedBy(customer);\n',
      '  private long savedBy(Customer customer) {\n    return prices.discount(customer) + store.stock(customer.id());\n  }\n',
    ],
  ],
};

export const SERVICE_EDITS: readonly ServiceEdit[] = EDIT_KINDS.flatMap(kind =>
  ROWS[kind].map(([method, from, to, added]) => ({ kind, method, from, to, ...(added !== undefined && { added }) })),
);

/** The text of the class after an edit. */
export function editedText(text: string, { method, from, to, added = '' }: ServiceEdit): string {
  const start = text.search(new RegExp(`^  [\\w<> ]+ ${method}\\(.*\\{$`, 'm'));
  const end = text.indexOf('\n  }\n', start) + '\n  }\n'.length;
  const body = text.slice(start, end);
  if (start < 0 || body.split(from).length !== 2) throw new Error(`"${from}" does not stand once in ${method}`);
  return `${text.slice(0, start)}${body.replace(from, () => to)}${added === '' ? '' : `\n${added}`}${text.slice(end)}`;
}
