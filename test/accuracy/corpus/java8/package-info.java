// The package's annotation, for which the compiler makes a class without methods.
@Deprecated
package corpus;
