// The methods by which the Java platform starts threads and tasks of its pools.

/** `Class.method`; of a class alone, all its methods. Outermost frames of stacks of JDK 8 to 26. */
const STARTS = new Set([
  'java.lang.Thread.run',
  'java.lang.Thread.runWith',
  'java.lang.Thread.run0',
  'java.lang.ThreadBuilders$BoundVirtualThread.run',
  'java.lang.VirtualThread',
  'java.lang.VirtualThread$VThreadContinuation',
  'java.lang.VirtualThread$VThreadContinuation$1',
  'jdk.internal.vm.Continuation',
  'jdk.internal.misc.InnocuousThread.run',
  'java.util.concurrent.ThreadPoolExecutor$Worker.run',
  'java.util.concurrent.ThreadPoolExecutor.runWorker',
  'java.util.concurrent.FutureTask.run',
  'java.util.concurrent.FutureTask.runAndReset',
  'java.util.concurrent.Executors$RunnableAdapter.call',
  'java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask.run',
  'java.util.concurrent.ForkJoinWorkerThread.run',
  'java.util.concurrent.ForkJoinPool.runWorker',
  'java.util.concurrent.ForkJoinPool.scan',
  'java.util.concurrent.ForkJoinPool$WorkQueue.topLevelExec',
  'java.util.concurrent.ForkJoinPool$WorkQueue.runTask',
  'java.util.concurrent.ForkJoinTask.doExec',
  'java.util.concurrent.ForkJoinTask$AdaptedRunnableAction.exec',
  'java.util.concurrent.ForkJoinTask$RunnableExecuteAction.exec',
  'java.util.concurrent.ForkJoinTask$RunnableExecuteAction.compute',
  'java.util.concurrent.CompletableFuture$AsyncRun.run',
  'java.util.concurrent.CompletableFuture$AsyncRun.exec',
  'java.util.concurrent.CompletableFuture$AsyncSupply.run',
  'java.util.concurrent.CompletableFuture$AsyncSupply.exec',
]);

/** Whether the platform starts a thread or a task by this method. */
export function isThreadStart(className: string, method: string): boolean {
  return className.startsWith('j') && (STARTS.has(className) || STARTS.has(`${className}.${method}`));
}
