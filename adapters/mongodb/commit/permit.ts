import { StoreUnavailable } from '../../../core/ports/store.ts'

/** For which generation of shapes this process writes, and whether it still may. */
export interface Permit {
  readonly generation: number
  /** Whether it has lately told the others that it is there, and its sessions; else `renew` comes before a write. */
  isHeld(): boolean
  /** Tells so, and looks whether a newer release has taken the store over. Rejects with `StoreUnavailable` where one has. */
  renew(): Promise<void>
  /** The server took a write for one of an earlier generation: finds out why. Rejects where it was. */
  refused(): Promise<void>
}

/** A newer release writes what this process has just read. */
export class Overtaken extends StoreUnavailable {
  override readonly name: string = 'Overtaken'
  constructor() {
    super('a newer release has taken the store over')
  }
}
