// The libraries that the resolver is measured on beside the JDK: Debian's packages of them, their source roots and their jars.

type Library = { readonly name: string; readonly package: string; readonly roots: string[]; readonly jars: string[] };

const NETTY_MODULES = ['common', 'buffer', 'transport', 'handler', 'codec', 'codec-http', 'codec-http2'];

const libraries: readonly Library[] = [
  single('commons-lang3', 'libcommons-lang3-java'),
  single('commons-collections4', 'libcommons-collections4-java'),
  { ...single('guava', 'libguava-java'), roots: ['guava/src'] },
  single('jackson-core', 'libjackson2-core-java'),
  single('jackson-databind', 'libjackson2-databind-java'),
  {
    name: 'netty',
    package: 'libnetty-java',
    roots: NETTY_MODULES.map(module => `${module}/src/main/java`),
    jars: NETTY_MODULES.map(module => `netty-${module}.jar`),
  },
];

function single(name: string, debianPackage: string): Library {
  return { name, package: debianPackage, roots: ['src/main/java'], jars: [`${name}.jar`] };
}

export const libraryNames: readonly string[] = libraries.map(({ name }) => name);

/** The arguments of `libraries.sh`: `name=package:roots:jars` each. */
export const libraryRecipes: readonly string[] = libraries.map(
  library => `${library.name}=${library.package}:${library.roots.join()}:${library.jars.join()}`,
);
