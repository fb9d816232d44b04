import type { ExecutionContext } from 'ava'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { findings } from '../../../apps/audit/findings.ts'
import { collectionsOf, type Startable } from '../../../apps/host/host.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import type { Store } from '../../../core/ports/store.ts'
import type { Survivor } from './survivor.ts'

/**
 * What is never written again: money that moved, whose a title is, who was paid, what a day was compared with, what the embedded
 * bank knows of an account, has sent and has numbered boletos by, of an agency what it was founded as, and of the server what proves its key and its disk.
 */
const FOR_EVER = [
  'estate.companies',
  'fake-bank.accounts',
  'fake-bank.numbers',
  'fake-bank.payouts',
  'fake-bank.refunds',
  'host.key-checks',
  'host.write-probes',
  'payments.card-transactions',
  'payments.differences',
  'payments.entries',
  'payments.journals',
  'payments.listed-movements',
  'payments.other-titles',
  'payments.paid-parties',
  'payments.reconciliations',
]

/** What it ordered of the platform is an agency's, too. */
export const isOfAgency = (collection: string): boolean => /^(estate|charging)\./.test(collection)

/** A whole store has nothing that an audit of it finds. */
export const isSound = async (t: ExecutionContext, store: Store, apps: readonly Startable[]): Promise<void> => {
  for await (const { area, faults } of findings({ store, digest }, collectionsOf(apps))) t.deepEqual(faults, [], area)
}

type Held = Awaited<ReturnType<Survivor['api']['everything']>>

/** Of each of them something was written, but for what never is. */
export const isWritten = (t: ExecutionContext, collections: readonly string[], before: Held, after: Held): void => {
  const unwritten = collections.filter((name) => keptAll(before[name], after[name]))
  t.deepEqual(
    unwritten.toSorted(),
    FOR_EVER.filter((name) => collections.includes(name)),
  )
}

const keptAll = (before: readonly Rec[] = [], after: readonly Rec[] = []): boolean => {
  const now = new Set(after.map((record) => JSON.stringify(record)))
  return before.every((record) => now.has(JSON.stringify(record)))
}
