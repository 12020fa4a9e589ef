// Classes of the objects that samples are about: what methods allocate and throw, and the monitors and locks that threads wait for.

/** The begin of a frame's name, before the class. */
const FRAME = 'object ';
/** The begin of the id of a metric by class, before the id of the other metric. */
const METRIC = 'classes of ';

/** The name of the frame, without a class, that stands below the innermost one in metrics by class. */
export function objectFrame(className: string): string {
  return FRAME + className;
}

/** `java.util.ArrayList` of a frame of `objectFrame`; null for other frames. */
export function objectClassOf(frameClass: string, method: string): string | null {
  return frameClass === '' && method.startsWith(FRAME) ? method.slice(FRAME.length) : null;
}

/** Id of the metric that holds the samples of another one by class. Ids of recorded metrics have no blanks. */
export function classesMetricId(metric: string): string {
  return METRIC + metric;
}

/** The metric whose samples a metric holds by class; null for a metric of methods. */
export function metricOfClasses(id: string): string | null {
  return id.startsWith(METRIC) ? id.slice(METRIC.length) : null;
}
