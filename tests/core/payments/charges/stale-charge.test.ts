import test from 'ava'
import type { Change } from '../../../../core/kernel/records/record.ts'
import { decideUpdate } from '../../../../core/payments/charges/change.ts'
import type { Charge } from '../../../../core/payments/charges/charge.ts'
import {
  decideCancellation,
  decideDeletion,
  decideDeletionReply,
  decideExpiry,
} from '../../../../core/payments/charges/end.ts'
import { postPayment } from '../../../../core/payments/charges/payment.ts'
import { decideReplacement } from '../../../../core/payments/charges/replace-title.ts'
import { decideLateTitle, decideTitle } from '../../../../core/payments/charges/titles.ts'
import {
  aCharge,
  aNotice,
  anAccount,
  anOperation,
  aPix,
  applyTo,
  detailOf,
  freshAt,
  paymentFacts,
  TXID,
  unsealed,
} from '../records.ts'
import { openPayments, right } from '../world.ts'

const NEW = 'Z9y8X7w6V5u4T3s2R1q0P9o8N'
const CLOSING = 'de1e7e00-0000-4000-8000-000000000001'
const NEXT_YEAR = '2027-01-01T00:00:00.000Z'
const account = anAccount()

const done = <V>(value: V) => ({ outcome: 'done', value }) as const
const title = { pix: aPix, boleto: null, isCancelled: false, mismatch: null } as const
const made = { ...title, pix: { ...aPix, txid: NEW } }
const replaced = { made, formerTxid: TXID, change: { valueCents: 200 }, refusal: null }

type Decide = (read: Partial<Charge>) => readonly Change[] | undefined

const updated =
  (change: Parameters<typeof decideUpdate>[2]): Decide =>
  (read) =>
    right(
      decideUpdate(
        openPayments().ports,
        { detail: detailOf(read), account, book: null, place: null },
        change,
        freshAt(),
      ),
    ).changes
const answered =
  (reply: Parameters<typeof decideReplacement>[3]): Decide =>
  (read) =>
    decideReplacement(unsealed, anOperation({ id: NEW, kind: 'replace-title' }), detailOf(read), reply, freshAt())
      .changes

/** Every decision on a charge: the charge when it was read, and the changes. */
const DECISIONS: Readonly<Record<string, readonly [read: Partial<Charge>, decide: Decide]>> = {
  'a payment': [{}, (read) => postPayment(unsealed, paymentFacts(read), aNotice(), freshAt()).changes],
  "the bank's closing": [{}, (read) => right(decideCancellation(detailOf(read), TXID, freshAt())).changes],
  'its time': [{}, (read) => right(decideExpiry(detailOf(read), freshAt(NEXT_YEAR))).changes],
  'a change': [{}, updated({ description: 'x' } as never)],
  'a change of its title': [{}, updated({ valueCents: 200 } as never)],
  'another title': [{ operationId: NEW }, answered(done(replaced))],
  'no other title': [{ operationId: NEW }, answered({ outcome: 'refused', reason: 'Sem limite.' })],
  'its title': [
    { operationId: TXID, pix: null },
    (read) => decideTitle(unsealed, anOperation(), detailOf(read), done(title), freshAt()).changes,
  ],
  'a late title': [
    { status: 'failed', pix: null, failure: 'Sem limite.' },
    (read) => decideLateTitle(unsealed, { id: TXID, state: 'refused' }, detailOf(read), done(title), freshAt()).changes,
  ],
  'the begin of its deletion': [
    {},
    (read) => right(decideDeletion(unsealed, { detail: detailOf(read), running: null }, freshAt())).changes,
  ],
  'its deletion': [
    { operationId: CLOSING },
    (read) => {
      const deleting = anOperation({ id: CLOSING, kind: 'delete-charge' })
      return decideDeletionReply(deleting, detailOf(read), done(null), freshAt()).changes
    },
  ],
}

/** Changes of the charge since it was read. */
const SINCE: readonly Partial<Charge>[] = [
  { updatedAt: '2026-11-23T13:05:09.124Z' },
  { txid: 'another' },
  { operationId: 'another' },
  { status: 'cancelled' },
]

for (const [name, [read, decide]] of Object.entries(DECISIONS)) {
  test(`${name} is not committed on a charge that was written since it was read`, (t) => {
    const decided = decide(read) ?? []
    t.truthy(applyTo(aCharge(read), decided))
    for (const written of SINCE) t.is(applyTo(aCharge({ ...read, ...written }), decided), null, JSON.stringify(written))
  })
}
