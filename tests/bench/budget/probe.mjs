import { createServer } from 'node:net'
import { GCProfiler, getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

// Loaded into a measured process by NODE_OPTIONS. Sends the bytes that its main thread has allocated on the heap to
// each connection on the socket of BENCH_PROBE: the growth of the heap between garbage collections.
const used = () => getHeapStatistics().used_heap_size

const countAllocations = () => {
  let bytes = 0
  let last = used()
  let profiler = new GCProfiler()
  profiler.start()
  return () => {
    for (const { beforeGC, afterGC } of profiler.stop().statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - last
      last = afterGC.heapStatistics.usedHeapSize
    }
    const now = used()
    bytes += now - last
    last = now
    profiler = new GCProfiler()
    profiler.start()
    return bytes
  }
}

if (isMainThread && process.env.BENCH_PROBE) {
  // A build that precedes the start runs in a child.
  delete process.env.NODE_OPTIONS
  const allocated = countAllocations()
  createServer((socket) => socket.on('error', () => {}).end(`${allocated()}`))
    .listen(process.env.BENCH_PROBE)
    .unref()
}
