import { type SideThread, sideThread, threadEntry } from '../../threads/side-thread.ts'
import type { Raw } from '../ask/execute.ts'
import type { Plan } from '../ask/plan-kinds.ts'

/** For what walks long: several plans at one instant. Sees every commit that was acknowledged before. */
export type ReaderThread = SideThread<readonly Plan[], readonly Raw[]>

export const readerThread = (path: string): ReaderThread =>
  sideThread('reader', threadEntry(import.meta.url, 'reader'), path)
