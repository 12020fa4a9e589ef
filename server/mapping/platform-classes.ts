// Which classes belong to the Java platform, and to which package a class belongs.

/** Frames without a class do not belong to the application either. */
export function isPlatformClass(className: string): boolean {
  return className === '' || /^(?:java|javax|jdk|sun|com\.sun|javafx)\./.test(className);
}

/** `com.acme` of `com.acme.Shop$Cart`; empty where it has none. */
export function packageOf(className: string): string {
  return className.slice(0, Math.max(0, className.lastIndexOf('.')));
}

/** Whether a class is in the package or one below it. */
export function isWithin(className: string, packageName: string): boolean {
  return className.startsWith(`${packageName}.`);
}
