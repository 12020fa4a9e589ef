// A comparison as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS): one result for each cause of changes that the test found.
import { type ComparedTrees, percent, points, type Report } from '../features/compare/door.ts';
import { listedText } from '../features/text/listed-method.ts';
import { type PlaceOf, placeOfReport } from './report-place.ts';

/** Services that show results of checks take a message of so many characters. */
const MOST_TEXT = 1000;

/** The log of one run, as plain data. Paths count from the root of the repository, `%SRCROOT%`. */
export function sarifOf(found: ComparedTrees, placeOf: PlaceOf): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'insitu',
            rules: [
              { id: 'slower', shortDescription: { text: 'A method takes more time than before' } },
              { id: 'faster', shortDescription: { text: 'A method takes less time than before' } },
            ],
          },
        },
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'Root of the repository' } } },
        properties: { scaling: found.scaling, jvms: found.jvms, tested: found.tested },
        results: found.reports.map(report => resultOf(report, placeOf)),
      },
    ],
  };
}

function resultOf(report: Report, placeOf: PlaceOf): object {
  const { verdict, context, methods } = report;
  const [first] = methods as [Report['methods'][0], ...Report['methods'][number][]];
  const text = `${report.text}: ${points(report.change)} points of everything (${percent(report.before)} to ${percent(report.now)}); tested: ${listedText(first)} ${points(first.change)} (p ${first.p.toPrecision(2)})`;
  const place = placeOfReport(report, placeOf);
  return {
    ruleId: verdict,
    level: verdict === 'slower' ? 'warning' : 'none',
    kind: verdict === 'slower' ? 'fail' : 'informational',
    message: { text: text.slice(0, MOST_TEXT) },
    locations: [
      {
        ...(place !== null && {
          physicalLocation: {
            artifactLocation: { uri: uriOf(place.path), uriBaseId: '%SRCROOT%' },
            region: { startLine: place.line, endLine: place.endLine },
          },
        }),
        logicalLocations: [{ fullyQualifiedName: listedText(context ?? first), kind: 'function' }],
      },
    ],
    properties: {
      cause: report.cause,
      change: report.change,
      before: report.before,
      now: report.now,
      margin: first.margin,
      p: first.p,
    },
  };
}

/** A relative reference (RFC 3986): `encodeURI` keeps `#` and `?`, and a colon in the first segment would end a scheme. */
function uriOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
