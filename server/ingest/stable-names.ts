// Stable names for generated classes, so that the same code has the same name in every run.

// Each rule turns what differs from run to run into nothing or `#`. A generated part is kept as far as it says what made it.
const RULES: readonly (readonly [RegExp, string])[] = [
  // Hidden classes: the VM appends an address, and older ones a number before it. `Work$$Lambda$14/0x0000…`, `…$$Lambda.0x…`.
  [/\$\$Lambda(?:\$\d+|\$?_)?(?:[/+.].*)?$/s, '$$$$Lambda'],
  // Method handle forms: `LambdaForm$MH/0x…`, `LambdaForm$DMH.0x…`, older `LambdaForm$MH1234`.
  [/(LambdaForm\$[A-Za-z]+)\d*(?:[/+.].*)?$/s, '$1'],
  // Any other hidden class.
  [/[/+.]0x[0-9a-fA-F]+(?:\.\d+)?$/, ''],
  [/\/\d+$/, ''],
  // Reflection: `GeneratedMethodAccessor12`, `GeneratedSerializationConstructorAccessor3`.
  [/(Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+$/, '$1#'],
  // Proxies of the JDK, which also numbers their packages, Hibernate, Byte Buddy, CGLIB and Javassist.
  [/\$Proxy\d+$/, '$$Proxy#'],
  [/^jdk\.proxy\d+\./, 'jdk.proxy#.'],
  [/(\$HibernateProxy|\$HibernateInstantiator|\$HibernateAccessOptimizer|\$ByteBuddy|\$MockitoMock)\$\w+$/, '$1'],
  [/(\$\$(?:Enhancer|FastClass)By[A-Za-z]+)\$\$[0-9a-f]+/g, '$1'],
  [/(\$\$(?:SpringCGLIB|FastClass))\$\$\d+/g, '$1'],
  [/_\$\$_jvst[0-9a-f]+_[0-9a-f]+$/, '_$$$$_jvst'],
  [/_\$\$_javassist_\d+$/, '_$$$$_javassist'],
];

/** A binary class name with dots, without the parts that change from run to run. Names written by people stay as they are. */
export function normaliseClassName(name: string): string {
  // Every generated name has one of these; nearly all names have none and pay for one search.
  if (!/\$\$|\$Proxy|0x|\/|Lambda|Accessor|\$Hibernate|\$ByteBuddy|\$Mockito/.test(name)) return name;
  let stable = name;
  for (const [pattern, replacement] of RULES) stable = stable.replace(pattern, replacement);
  return stable;
}
