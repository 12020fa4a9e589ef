// Which classes belong to the Java platform, and to which package a class belongs.

export function isPlatformClass(className: string): boolean {
  return /^(?:java|javax|jdk|sun|com\.sun|javafx)\./.test(className);
}

/** Whether lists leave a class out that are to show what the program is made of. Nothing is known of frames without a class. */
export function isPlatformOrUnknown(className: string): boolean {
  return className === '' || isPlatformClass(className);
}

/** `com.acme` of `com.acme.Shop$Cart`; empty where it has none. */
export function packageOf(className: string): string {
  return className.slice(0, Math.max(0, className.lastIndexOf('.')));
}

/** Whether a class is in the package or one below it. */
export function isWithin(className: string, packageName: string): boolean {
  return className.startsWith(`${packageName}.`);
}
