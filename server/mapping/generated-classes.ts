// Recognises classes that were made at run time, in their raw and in their normalised spelling, and the class behind them.

/** The origin of the class. `script` is code that a person wrote in another form (JSP, Groovy scripts); the others only forward. */
type GeneratedKind = 'lambda' | 'methodHandle' | 'accessor' | 'proxy' | 'subclass' | 'script';

/** Suffix by which libraries mark a generated subclass; the name before it is the class that the subclass extends. */
const SUBCLASS =
  /^(.+?)(?:\$\$(?:EnhancerBy|FastClassBy|SpringCGLIB|KeyFactoryBy|Enhancer)[\w$#]*|\$ByteBuddy\$.*|\$HibernateProxy(?:\$.*)?|\$HibernateBasicProxy(?:\$.*)?|\$MockitoMock\$.*|\$auxiliary\$.*|_\$\$_(?:jvst|javassist|Weld)\S*|_\$\$_.*|_ClientProxy|_Subclass|\$Proxy\$_\$\$_.*)$/;
const LAMBDA = /^(.+?)\$\$Lambda(?:[$.+/#].*)?$/;
const METHOD_HANDLE =
  /(?:^|[./])(?:LambdaForm\$(?:D?MH|BMH|VH|Species)\w*|(?:Invokers|DirectMethodHandle|DelegatingMethodHandle|LambdaForm)\$Holder)|BoundMethodHandle\$Species_/;
const ACCESSOR = /(?:^|\.)Generated(?:Serialization)?(?:Method|Constructor)Accessor[\d#]*$/;
const PROXY = /(?:^|\.)\$Proxy[\d#]*(?:\$.*)?$/;
const SCRIPT = /_jspx?$|^script_?[0-9a-f#]+/i;

/** The origin of a class that was made at run time; null for an ordinary class file. */
export function generatedKind(className: string): GeneratedKind | null {
  if (!className.includes('$') && !className.includes('Accessor') && !className.includes('_')) return null;
  if (LAMBDA.test(className)) return 'lambda';
  if (METHOD_HANDLE.test(className)) return 'methodHandle';
  if (ACCESSOR.test(className)) return 'accessor';
  if (PROXY.test(className)) return 'proxy';
  if (SUBCLASS.test(className)) return 'subclass';
  return SCRIPT.test(className) ? 'script' : null;
}

/** The class that a generated subclass extends or that a lambda class belongs to; the name itself for ordinary classes. */
export function classBehind(className: string): string {
  if (!className.includes('$') && !className.includes('_')) return className;
  const match = LAMBDA.exec(className) ?? SUBCLASS.exec(className);
  return match?.[1] ?? className;
}
