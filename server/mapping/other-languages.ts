// Tells frames of other JVM languages apart by the names that their compilers give.

const MARKS: readonly { readonly language: string; readonly className?: RegExp; readonly name?: RegExp }[] = [
  { language: 'JSP', className: /(?:^|\.)org\.apache\.jsp\.|_jsp$/ },
  {
    language: 'Groovy',
    className: /\$_\w*_?closure\d+|^Script\d+$|(?:^|\.)script[\d#]{6,}/,
    name: /^\$getCallSiteArray$/,
  },
  { language: 'Scala', className: /\$\$anon\$|\$\$anonfun\$|\$$/, name: /^\$anonfun\$|\$extension$/ },
  { language: 'Clojure', className: /\$fn__\d+|__init$/ },
  {
    language: 'Kotlin',
    className: /Kt(?:__\w+)?$|\$WhenMappings$|\$DefaultImpls$/,
    name: /\$lambda[$-]\d+$|\$default$|\$suspendImpl$/,
  },
];

/** Name of the language whose compiler made the method, as far as the name shows it; null for what may be Java. */
export function otherLanguage(className: string, name: string): string | null {
  for (const mark of MARKS) {
    if (mark.className?.test(className) || mark.name?.test(name)) return mark.language;
  }
  return null;
}
