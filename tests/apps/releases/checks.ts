import { isDeepStrictEqual } from 'node:util'
import type { ExecutionContext } from 'ava'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { findings } from '../../../apps/audit/findings.ts'
import { collectionsOf, type Startable } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { isLeft } from '../../../core/failure.ts'
import type { AnyCollection, t as io, Rec } from '../../../core/kernel/records/record.ts'
import type { Store } from '../../../core/ports/store.ts'
import { openBy, told } from '../payments/checkout/payer.ts'
import { type TestApi, worked } from '../payments/test-api.ts'
import type { Knowledge } from './fixtures.ts'
import type { Survivor } from './survivor.ts'

/** One of the two apps, whose store this is as far as it knows of it. */
type Whole = Pick<TestApi, 'everything'>

/** Each collection of the release has records: stored names do not change. */
export const findsAll = async (t: ExecutionContext, api: Whole, collections: readonly string[]): Promise<void> => {
  const held = await api.everything()
  t.deepEqual(
    collections.filter((name) => (held[name] ?? []).length === 0),
    [],
  )
}

const unretired = (record: Rec, retired: readonly string[]): Rec => {
  const kept = Object.entries(record).filter(([field]) => !retired.includes(field))
  return { ...Object.fromEntries(kept), id: record.id }
}

/** Each record decodes to itself. */
export const decodesAll = async (
  t: ExecutionContext,
  { api }: { readonly api: Whole },
  collections = collectionsOf([payments, realEstate]),
): Promise<void> => {
  const held = await api.everything()
  for (const collection of collections) {
    const { name } = collection
    const wrong = (held[name] ?? []).flatMap((record) =>
      wrongFields(collection, record).map((field) => [record.id, field]),
    )
    t.deepEqual(wrong, [], name)
  }
}

/**
 * Returns the fields that decode differently: a new required field may lack an upgrade, a removed one its `retired`.
 */
const wrongFields = ({ codec, retired = [] }: AnyCollection, record: Rec): readonly string[] => {
  const decoded = codec.decode(record)
  if (isLeft(decoded)) return (decoded.left as io.Errors).map(({ context }) => `${context[1]?.key}`)
  const [read, kept] = [decoded.right, unretired(record, retired)]
  return Object.keys({ ...read, ...kept }).filter((field) => !isDeepStrictEqual(read[field], kept[field]))
}

/** Amount and checksum of a Pix code: the amount due follows the current rules. The rest is stable. */
const AMOUNT_OF_CODE = /54\d{2}[\d.]+(5802BR[^"]*6304)[0-9A-F]{4}/g

const withoutAmounts = (text: string): string => text.replace(AMOUNT_OF_CODE, '$1')

/** The users of the store read what they knew. */
export const readsAsBefore = async (t: ExecutionContext, { api, known, signIn, repeat }: Survivor): Promise<void> => {
  const { owner, founder, shown, logo, keys, charges } = known
  const tokens = { owner: owner.token, founder: await signIn(founder) }
  for (const who of ['owner', 'founder'] as const) {
    for (const [path, then] of Object.entries(shown[who])) {
      // A later release may show more fields.
      const now = worked(await api.ask('GET', path, { token: tokens[who] }))
      t.like(JSON.parse(withoutAmounts(JSON.stringify(now))), JSON.parse(withoutAmounts(then)), path)
    }
  }
  const image = await fetch(api.url + logo.path)
  t.is(Buffer.from(await image.arrayBuffer()).toString('base64'), logo.base64)
  const payable = worked(await api.ask('GET', `/public/pix/${charges.pending.txid}`))
  t.regex(payable.qrcode, /^0002/)
  await showsEverywhere(t, api, tokens.owner, charges)
  await showsLinks(t, api, known)
  t.is((await api.ask('GET', `/v1/clients/${known.removedClientId}`, { token: owner.token })).status, 404)

  const replayed = await repeat(owner.token, keys.done)
  t.deepEqual([replayed.text, replayed.headers.get('idempotent-replayed')], [keys.done.text, 'true'])
  t.is((await repeat(owner.token, { ...keys.done, body: {} })).status, 422)
}

/** Charges have a payment page, a PDF and a payment status. */
const showsEverywhere = async (
  t: ExecutionContext,
  api: TestApi,
  token: string,
  { pending, paid, cancelled, boletoPending, bolepixPending }: Knowledge['charges'],
): Promise<void> => {
  for (const charge of [pending, paid, cancelled, boletoPending, bolepixPending]) {
    const { data } = worked(await api.ask('GET', `/invoices/${charge.id}`, { token }))
    const page = await api.ask('GET', `/pay/charge/${data.code}`)
    t.deepEqual([page.status, /<h1/.test(page.text)], [200, true])
    const bill = await fetch(`${api.url}/billing/charges/${charge.id}/download-pdf`, {
      headers: { authorization: `Bearer ${token}` },
    })
    t.deepEqual([bill.status, bill.headers.get('content-type')], [200, 'application/pdf'])
    worked(await api.ask('GET', `/public/payment-status/${data.code}/charge`))
  }
}

const LINKS = [
  ['active', [200, undefined]],
  ['expired', [410, 'link.over']],
  ['exhausted', [410, 'link.paid']],
  ['waiting', [200, undefined]],
] as const

const showsLinks = async (t: ExecutionContext, api: TestApi, { links }: Knowledge): Promise<void> => {
  for (const [name, says] of LINKS) t.deepEqual(told(await openBy(api, links[name])), [...says], name)
}

/**
 * Collections whose records are not written again: the ledger, reconciliations, the embedded bank and the host's
 * checks.
 */
const IMMUTABLE = Object.entries({
  estate: 'companies',
  'fake-bank': 'accounts numbers payouts refunds',
  host: 'key-checks write-probes',
  payments: 'card-transactions differences entries journals listed-movements other-titles reconciliations',
}).flatMap(([room, names]) => names.split(' ').map((name) => `${room}.${name}`))

/** Orders to the platform belong to the agency, too. */
export const isOfAgency = (collection: string): boolean => /^(estate|charging)\./.test(collection)

/** The audit finds no faults. */
export const isSound = async (t: ExecutionContext, store: Store, apps: readonly Startable[]): Promise<void> => {
  for await (const { area, faults } of findings({ store, digest }, collectionsOf(apps))) t.deepEqual(faults, [], area)
}

type Held = Awaited<ReturnType<Survivor['api']['everything']>>

/** Each collection was written, except the immutable ones. */
export const isWritten = (t: ExecutionContext, collections: readonly string[], before: Held, after: Held): void => {
  const unwritten = collections.filter((name) => keptAll(before[name], after[name]))
  t.deepEqual(
    unwritten.toSorted(),
    IMMUTABLE.filter((name) => collections.includes(name)),
  )
}

const keptAll = (before: readonly Rec[] = [], after: readonly Rec[] = []): boolean => {
  const now = new Set(after.map((record) => JSON.stringify(record)))
  return before.every((record) => now.has(JSON.stringify(record)))
}
