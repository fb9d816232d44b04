import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { type Change, insert } from '../../../core/kernel/records/change.ts'
import { addDays, dayOf, plusSeconds } from '../../../core/kernel/values/day.ts'
import { fold } from '../../../core/kernel/values/text.ts'
import { type Charge, charges, pixLapsesAt } from '../../../core/payments/charges/charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import { entries } from '../../../core/payments/ledger/entry.ts'
import { ledgerAccounts } from '../../../core/payments/ledger/ledger-account.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import type { Store } from '../../../core/ports/store.ts'
import { aCharge, aClient } from '../../core/payments/charges/billing-fixtures.ts'

/** The merchant whose past grows, and one beside them whose does not. */
export const GROWING = 1
export const BESIDE = 2
export const FEW = 1_000
export const MANY = 1_000_000
/** Enough that what is asked of them is taken for long. */
const OF_BESIDE = 5_000
/** Who pays most: a tenth of all charges. One in the middle has about one in a thousand. */
export const CLIENTS = 1_000
/** The last day of five years of charges. */
export const TODAY = '2026-11-01'
export const NOW = `${TODAY}T13:00:00.000Z`
const SECONDS = 5 * 365 * 86_400
const FIRST = plusSeconds(NOW, -SECONDS)

/** Between 0 and 1, the same for the same number: what is measured today is measured tomorrow. */
const chance = (number: number, of: number): number => {
  let mixed = Math.imul(number ^ Math.imul(of, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

const pick = <V>(weights: readonly (readonly [share: number, value: V])[], at: number, last: V): V => {
  let sum = 0
  for (const [share, value] of weights) {
    sum += share
    if (at < sum) return value
  }
  return last
}

/** As a random code looks, and as hard to find by a part of it. */
const textOf = (id: number, of: number, length: number): string =>
  `${id.toString(36)}${[0, 1, 2, 3, 4]
    .map((more) =>
      chance(id, of + more)
        .toString(36)
        .slice(2, 8),
    )
    .join('')}`.slice(0, length)

const statusOf = (number: number, dueDate: string): Charge['status'] => {
  const status = pick<Charge['status']>(
    [
      [0.82, 'paidwithpix'],
      [0.03, 'failed'],
      [0.05, 'cancelled'],
      [0.02, 'DELETED'],
    ],
    chance(number, 1),
    'pending',
  )
  return status === 'pending' && dueDate < TODAY ? 'expired' : status
}

export const chargeOf = (accountId: number, number: number, count: number, id: number): Charge => {
  const createdAt = plusSeconds(FIRST, (SECONDS * number) / count)
  const createdDay = dayOf(createdAt)
  const dueDate = addDays(createdDay, Math.floor(30 * chance(number, 2)))
  const status = statusOf(number, dueDate)
  const paidOn = addDays(createdDay, Math.floor(20 * chance(number, 3)))
  const clientId = 1 + Math.floor(CLIENTS * chance(number, 4) ** 3)
  const [code, txid] = [textOf(id, 7, 22), textOf(id, 12, 25)]
  return aCharge({
    id,
    accountId,
    code,
    txid,
    status,
    paymentMethod: pick(
      [
        [0.7, 'PIX'],
        [0.2, 'BOLETO'],
      ],
      chance(number, 5),
      'CREDIT_CARD',
    ),
    dueDate,
    paymentDate: status === 'paidwithpix' ? paidOn : null,
    amountPaidCents: status === 'paidwithpix' ? 15_050 : null,
    clientId,
    lapsesAt: pixLapsesAt(dueDate),
    createdAt,
    createdDay,
    updatedAt: createdAt,
    search: fold([code, txid, '12345678909', `Maria da Silva ${clientId}`].join('\n')),
  })
}

const entryOf = (accountId: number, seq: number, count: number, id: number) => {
  const datetime = plusSeconds(FIRST, (SECONDS * seq) / count)
  return insert(entries, {
    id,
    accountId,
    book: `${accountId}:main`,
    journalId: `j${id}`,
    seq,
    balanceCents: seq,
    datetime,
    day: dayOf(datetime),
    typeId: chance(seq, 6) < 0.8 ? 1 : 2,
    status: 1,
    valueCents: 1,
    direction: 'in',
    description: 'Pix recebido',
    chargeId: id,
    txid: null,
    endToEnd: null,
    payer: null,
    receiver: null,
    search: fold(`Pix recebido\nMaria da Silva ${seq % CLIENTS}`),
  })
}

const aBook = { kind: 'main', balanceCents: 0, availableCents: 0, lastAt: NOW, lastDay: TODAY } as const

const CHANGES_AT_ONCE = 500

const write = async (store: Store, count: number, changesOf: (number: number) => readonly Change[]): Promise<void> => {
  let changes: Change[] = []
  for (let number = 1; number <= count; number += 1) {
    changes.push(...changesOf(number))
    if (changes.length < CHANGES_AT_ONCE && number < count) continue
    await store.commit(changes)
    changes = []
  }
}

const fill = async (store: Store, count: number): Promise<void> => {
  await write(store, CLIENTS, (id) => [
    insert(clients, { ...aClient, id, accountId: GROWING, code: `p${id}`, document: `${id}`, search: `${id}` }),
  ])
  for (const [accountId, size, before] of [
    [GROWING, count, 0],
    [BESIDE, OF_BESIDE, count],
  ] as const) {
    await store.commit([insert(ledgerAccounts, { ...aBook, id: `${accountId}:main`, accountId, seq: size })])
    await write(store, size, (number) => [
      insert(charges, chargeOf(accountId, number, size, before + number)),
      entryOf(accountId, number, size, before + number),
    ])
  }
}

/** What a kept store depends on: who makes it, and the table of what it keeps. */
const versionOf = async (): Promise<string> => {
  const made = createHash('sha256').update(await readFile(fileURLToPath(import.meta.url)))
  for (const { name, codec: _, keys = {}, ...row } of paymentsCollections)
    made.update(JSON.stringify([name, Object.keys(keys), row]))
  return made.digest('hex').slice(0, 16)
}

/**
 * The file of a store with so many charges and lines of a statement. Made by commits like any other, which takes minutes for
 * the larger one, and kept for the next run.
 */
export const historyOf = async (count: number): Promise<string> => {
  const directory = join(tmpdir(), 'portico-bench-lists', `${await versionOf()}-${count}`)
  const [file, whole] = [join(directory, 'store.db'), join(directory, 'whole')]
  if (existsSync(whole)) return file
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const store = await sqliteStore(file, paymentsCollections)
  try {
    await fill(store, count)
  } finally {
    await store.close()
  }
  await writeFile(whole, '')
  return file
}
