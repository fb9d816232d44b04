import { type SideThread, sideThread, threadEntry } from '../../concurrency/side-thread.ts'
import type { BuildTask } from './task.ts'

export type BuilderThread = SideThread<BuildTask, void>

export const builderThread = (path: string): BuilderThread =>
  sideThread('builder', threadEntry(import.meta.url, 'builder'), path)
