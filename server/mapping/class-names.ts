// Brings the printed forms of a class name to the one that everything else uses: binary, with dots, without module or loader.

/** `app//p.C`, `java.base@17/java.util.List`, `loader/m@1.0/p.C`, `p/q/C`, `Lp/q/C;` → `p.q.C`. Suffixes of hidden classes stay. */
export function plainClassName(printed: string): string {
  if (!printed.includes('/')) return printed;
  const hidden = /[/+.]0x[0-9a-f.]+$/i.exec(printed);
  const suffix = hidden === null ? '' : hidden[0];
  let name = hidden === null ? printed : printed.slice(0, hidden.index);
  if (/^L[^;]+;$/.test(name)) name = name.slice(1, -1);
  if (name.includes('/') && !name.includes('.') && !name.includes('//') && !name.includes('@')) {
    return name.replaceAll('/', '.') + suffix;
  }
  return name.slice(name.lastIndexOf('/') + 1) + suffix;
}

/** Package of a binary class name, empty for the unnamed one. */
export function packageOf(className: string): string {
  const dot = className.lastIndexOf('.');
  return dot < 0 ? '' : className.slice(0, dot);
}

/** Names of the types that may hold the class, innermost first: `p.A$B$1`, `p.A$B`, `p.A`. A `$` may also be part of a name. */
export function enclosingNames(className: string): string[] {
  const names = [className];
  const start = className.lastIndexOf('.') + 1;
  for (let at = className.lastIndexOf('$'); at > start; at = className.lastIndexOf('$', at - 1)) {
    names.push(className.slice(0, at));
  }
  return names;
}

/** `com.acme.Shop` of `com.acme.Shop$Line`: what a file is called after. A name may begin with `$`. */
export function topLevelClass(className: string): string {
  const inner = className.indexOf('$', className.lastIndexOf('.') + 2);
  return inner < 0 ? className : className.slice(0, inner);
}

/**
 * `com.acme.Shop$Cart` → `Cart`; where that is digits only (anonymous classes), what follows the last dot: `Shop$1`. Local classes
 * are known by a number before their name, which is left out: `Shop$1Best` → `Best`.
 */
export function simpleClassName(binaryName: string): string {
  const afterDot = binaryName.slice(binaryName.lastIndexOf('.') + 1);
  const afterDollar = afterDot.slice(afterDot.lastIndexOf('$') + 1);
  return /^\d*$/.test(afterDollar) ? afterDot : afterDollar.replace(/^\d+/, '');
}
