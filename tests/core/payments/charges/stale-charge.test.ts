import test from 'ava'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import type { Change } from '../../../../core/kernel/records/change.ts'
import { decideReplacement, decideUpdate } from '../../../../core/payments/charges/change.ts'
import type { Charge } from '../../../../core/payments/charges/charge.ts'
import {
  decideCancellation,
  decideDeletion,
  decideDeletionReply,
  decideExpiry,
} from '../../../../core/payments/charges/end.ts'
import { postPayment } from '../../../../core/payments/charges/payment.ts'
import { decideLateTitle, decideTitle } from '../../../../core/payments/charges/titles.ts'
import { anAccount } from '../access/test-ports.ts'
import { aCharge, aNotice, anOperation, aPix, become, decisionOf, detailOf, freshAt, TXID } from './billing-fixtures.ts'

const unsealed = { seal: (text: string) => text }
const NEW = 'Z9y8X7w6V5u4T3s2R1q0P9o8N'
const CLOSING = 'de1e7e00-0000-4000-8000-000000000001'
const NEXT_YEAR = '2027-01-01T00:00:00.000Z'
const account = anAccount()

const operationOf = (id: string, kind: string) => anOperation({ id, kind })
const title = { pix: aPix, boleto: null, isCancelled: false, mismatch: null } as const
const replaced = {
  made: { ...title, pix: { ...aPix, txid: NEW } },
  formerTxid: TXID,
  change: { valueCents: 200 },
  refusal: null,
}

/** Every decision on a charge: the charge when it was read, and the changes. */
const DECISIONS: Readonly<
  Record<string, readonly [read: Partial<Charge>, decide: (read: Partial<Charge>) => readonly Change[] | undefined]>
> = {
  'a payment': [
    {},
    (read) => postPayment(unsealed, { detail: detailOf(read), account, place: null }, aNotice(), freshAt()).changes,
  ],
  "the bank's closing": [{}, (read) => decisionOf(decideCancellation(detailOf(read), TXID, freshAt())).changes],
  'its time': [{}, (read) => decisionOf(decideExpiry(detailOf(read), freshAt(NEXT_YEAR))).changes],
  'a change': [{}, (read) => changes(read, { description: 'x' })],
  'a change of its title': [{}, (read) => changes(read, { valueCents: 200 })],
  'another title': [
    { operationId: NEW },
    (read) =>
      decideReplacement(
        unsealed,
        operationOf(NEW, 'replace-title'),
        detailOf(read),
        { outcome: 'done', value: replaced },
        freshAt(),
      ).changes,
  ],
  'no other title': [
    { operationId: NEW },
    (read) =>
      decideReplacement(
        unsealed,
        operationOf(NEW, 'replace-title'),
        detailOf(read),
        { outcome: 'refused', reason: 'Sem limite.' },
        freshAt(),
      ).changes,
  ],
  'its title': [
    { operationId: TXID, pix: null },
    (read) =>
      decideTitle(
        unsealed,
        operationOf(TXID, 'create-title'),
        detailOf(read),
        { outcome: 'done', value: title },
        freshAt(),
      ).changes,
  ],
  'a late title': [
    { status: 'failed', pix: null, failure: 'Sem limite.' },
    (read) =>
      decideLateTitle(
        unsealed,
        { id: TXID, state: 'refused' },
        detailOf(read),
        { outcome: 'done', value: title },
        freshAt(),
      ).changes,
  ],
  'the begin of its deletion': [
    {},
    (read) => decisionOf(decideDeletion(unsealed, { detail: detailOf(read), running: null }, freshAt())).changes,
  ],
  'its deletion': [
    { operationId: CLOSING },
    (read) =>
      decideDeletionReply(
        operationOf(CLOSING, 'delete-charge'),
        detailOf(read),
        { outcome: 'done', value: null },
        freshAt(),
      ).changes,
  ],
}

const changes = (read: Partial<Charge>, given: Record<string, unknown>) =>
  decisionOf(decideUpdate(memoryPorts(), { detail: detailOf(read), account, book: null }, given as never, freshAt()))
    .changes

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
    t.truthy(become(aCharge(read), decided))
    for (const written of SINCE) t.is(become(aCharge({ ...read, ...written }), decided), null, JSON.stringify(written))
  })
}
