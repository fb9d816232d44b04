import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { events } from '../../../../core/payments/events.ts'
import { links } from '../../../../core/payments/links/link.ts'
import { paidSubscriber } from '../../../../core/payments/links/paid.ts'
import { audit } from '../../../../core/payments/office.ts'
import { byId } from '../../../../core/ports/store.ts'
import { CARDS, cardBody } from '../../../apps/payments/given/cards.ts'
import { justBefore } from '../../kernel/running/tasks.ts'
import { type TwoEmptyAccounts, twoEmptyAccounts } from '../money-out/two-accounts.ts'
import { draws } from '../statements/random-ledger.ts'
import { inShort, NOW, PAYER, right } from '../world.ts'

const CENTS = 5_000
const DAY_SECONDS = 86_400
const ANOTHER = { name: 'Rui', email: 'rui@example.com', document: '52998224725' }

interface Context extends TwoEmptyAccounts {
  readonly id: string
  readonly token: string | null
}

const byCard = ({ pay, id, token }: Context, cardNumber: string = CARDS.visa, payer = PAYER) => {
  const card = { cardNumber, cvv: '737', cardholderName: 'MARIA DA SILVA', expiry: '12/30' }
  return pay.checkout.pay({ id, token }, { paymentMethod: 'CARD', payer, address: cardBody().address, card })()
}
const byPix = ({ pay, id, token }: Context, payer = PAYER) =>
  pay.checkout.pay({ id, token }, { paymentMethod: 'PIX', payer })()

type Step = (context: Context) => Promise<unknown>

/** The states: the limit of uses of a link, and the steps that lead to it. */
const STATES = {
  open: { maxUses: 1, step: async () => {} },
  'open without an end': { maxUses: null, step: async (context) => right(await byCard(context)) },
  'begun by Pix': { maxUses: 1, step: async (context) => right(await byPix(context)) },
  'processing a card': { maxUses: 1, step: async (context) => right(await byCard(context, CARDS.pending)) },
  paid: { maxUses: 1, step: async (context) => right(await byCard(context)) },
  'used up': {
    maxUses: 2,
    step: async (context) => {
      right(await byCard(context))
      right(await byCard(context))
    },
  },
  expired: { maxUses: 1, step: async ({ clock }) => clock.advance(3 * DAY_SECONDS) },
  paused: { maxUses: 1, step: async ({ pay, from, id }) => right(await pay.links.pause(from.member, id)()) },
  removed: { maxUses: 1, step: async ({ pay, from, id }) => right(await pay.links.remove(from.member, id)()) },
} as const satisfies Record<string, { readonly maxUses: number | null; readonly step: Step }>
type State = keyof typeof STATES

const inState = async (state: State): Promise<Context> => {
  const business = await twoEmptyAccounts()
  const { pay, from, clock } = business
  const { maxUses, step } = STATES[state]
  const expiresAt = new Date(Date.parse(clock.now()) + DAY_SECONDS * 1_000).toISOString().slice(0, 10)
  const terms = { title: 'Curso', amountCents: CENTS, maxUses, expiresAt, paymentMethods: ['PIX', 'CARD'] } as const
  const { link, publicUrl } = right(await pay.links.create(from.member, terms)())
  const context = { ...business, id: link.id, token: new URL(publicUrl).searchParams.get('token') }
  await step(context)
  return context
}

const COMMANDS = {
  'open it': ({ pay, id, token }: Context) => pay.checkout.open({ id, token })(),
  'open it by a wrong token': ({ pay, id }: Context) => pay.checkout.open({ id, token: 'outro' })(),
  'pay by Pix': (context: Context) => byPix(context),
  'pay by card': (context: Context) => byCard(context, CARDS.visa, ANOTHER),
  'pay by a way it has not': ({ pay, id, token }: Context) =>
    pay.checkout.pay({ id, token }, { paymentMethod: 'BOLETO', payer: PAYER })(),
  'send it elsewhere': ({ pay, from, id }: Context) =>
    pay.links.update(from.member, id, { successUrl: 'https://loja.example/' })(),
  'let it be used more often': ({ pay, from, id }: Context) => pay.links.update(from.member, id, { maxUses: 9 })(),
  'take the card from it': ({ pay, from, id }: Context) =>
    pay.links.update(from.member, id, { paymentMethods: ['PIX'] })(),
  'remove it': ({ pay, from, id }: Context) => pay.links.remove(from.member, id)(),
  'pause it': ({ pay, from, id }: Context) => pay.links.pause(from.member, id)(),
  'resume it': ({ pay, from, id }: Context) => pay.links.resume(from.member, id)(),
  'pause it for another account': ({ pay, to, id }: Context) => pay.links.pause(to.member, id)(),
  'send it elsewhere for another account': ({ pay, to, id }: Context) =>
    pay.links.update(to.member, id, { successUrl: 'https://loja.example/' })(),
  'remove it for another account': ({ pay, to, id }: Context) => pay.links.remove(to.member, id)(),
} as const

/** The result, and the number of uses after it if the command writes. */
type Outcome = readonly [said: string, uses?: number]

const UNKNOWN: Outcome = ['link.unknown']

const ofEach = (outcome: Outcome): Readonly<Record<State, Outcome>> => ({
  open: outcome,
  'open without an end': outcome,
  'begun by Pix': outcome,
  'processing a card': outcome,
  paid: outcome,
  'used up': outcome,
  expired: outcome,
  paused: outcome,
  removed: UNKNOWN,
})

/** The results for payers of links that accept no payment. */
const OVER = {
  paid: ['link.paid'],
  'used up': ['link.used-up'],
  expired: ['link.over'],
  paused: ['link.paused'],
} as const
const USED = { 'open without an end': 1, paid: 1, 'used up': 2 } as const

/** The results of changes by the account, which only an expired link rejects. */
const done = (): Readonly<Record<State, Outcome>> => ({
  ...ofEach(['done', 0]),
  'open without an end': ['done', USED['open without an end']],
  paid: ['done', USED.paid],
  'used up': ['done', USED['used up']],
  expired: ['link.expired'],
})
const METHOD_USED: Outcome = ['paymentMethods link.method-used']

const TABLE: Readonly<Record<keyof typeof COMMANDS, Readonly<Record<State, Outcome>>>> = {
  'open it': { ...ofEach(['done']), ...OVER },
  'open it by a wrong token': ofEach(['link.token']),
  'pay by Pix': {
    ...ofEach(['done', 0]),
    'open without an end': ['done', 1],
    'processing a card': ['link.processing'],
    ...OVER,
  },
  'pay by card': {
    ...ofEach(['done', 1]),
    'open without an end': ['done', 2],
    'processing a card': ['link.processing'],
    ...OVER,
  },
  'pay by a way it has not': { ...ofEach(['paymentMethod one-of']), ...OVER },
  'send it elsewhere': done(),
  'let it be used more often': done(),
  'take the card from it': {
    ...done(),
    'open without an end': METHOD_USED,
    'processing a card': METHOD_USED,
    paid: METHOD_USED,
    'used up': METHOD_USED,
  },
  'remove it': { ...done(), expired: ['done', 0] },
  'pause it': { ...done(), paused: ['done'] },
  'resume it': { ...ofEach(['done']), expired: ['link.expired'], paused: ['done', 0] },
  'pause it for another account': ofEach(UNKNOWN),
  'send it elsewhere for another account': ofEach(UNKNOWN),
  'remove it for another account': ofEach(UNKNOWN),
}

for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])
  for (const state of Object.keys(STATES) as State[])
    test(`${name}: a link that is ${state}`, async (t) => {
      const context = await inState(state)
      const before = await context.stored()
      const answer = inShort<unknown>(await COMMANDS[name](context))
      const after = await context.stored()
      const [expected, uses] = TABLE[name][state]
      t.is(answer, expected)
      t.is(after !== before, uses !== undefined)
      if (uses !== undefined && name !== 'remove it') {
        const { uses: counted } = right(await context.pay.links.read(context.from.member, context.id)())
        t.is(counted.usesCount, uses)
      }
      t.deepEqual(await context.faults(), [])
    })

test('sells the last use of a link once if two cards pay at the same time', async (t) => {
  const context = await inState('open')
  const paid = await Promise.all([byCard(context), byCard(context, CARDS.visa, ANOTHER)])
  t.deepEqual(
    paid.map((each) => inShort<unknown>(each)),
    ['done', 'link.paid'],
  )
})

test('issues one charge for two simultaneous payments of one payer', async (t) => {
  const context = await inState('begun by Pix')
  const first = right(await byPix(context))
  context.clock.advance(DAY_SECONDS)
  // Another payer starts the hourly count, whose start rejects a simultaneous charge.
  right(await byPix(context, ANOTHER))
  const paid = (await Promise.all([byPix(context), byPix(context)])).map((each) => right(each).charge.id)
  t.is(new Set(paid).size, 1)
  t.false(paid.includes(first.charge.id))
})

/** Takes an action of another process just before the next commit. */
const withRace = ({ pay, store }: Pick<Context, 'pay' | 'store'>, act: () => Promise<unknown>): void => {
  const meanwhile = justBefore()
  meanwhile.act = act
  Object.assign(pay.ports.store, meanwhile.on({ ...store }))
}

test('rejects the client of another account, also one who is removed while the link is created', async (t) => {
  const { pay, store, from, to } = await twoEmptyAccounts()
  const client = { name: 'Rui', email: 'rui@example.com', document: '52998224725' }
  const { id: clientId } = right(await pay.clients.create(from.member, client)())
  const offer = { title: 'Curso', amountCents: CENTS, paymentMethods: ['PIX'], clientId } as const
  const create = async (member: typeof from.member) => inShort<unknown>(await pay.links.create(member, offer)())
  t.is(await create(to.member), 'clientId unknown')
  t.is(await create(from.member), 'done')
  withRace({ pay, store }, async () => right(await pay.clients.remove(from.member, clientId)()))
  t.is(await create(from.member), 'clientId unknown')
})

test('a payment whose event is delivered late does not lower the amount that a link received', async (t) => {
  const context = await inState('open without an end')
  const { store, every } = context
  const { freshAt } = draws()
  const prepared = []
  for (const count of [1, 2]) {
    const event = (await every(events)).filter(({ type }) => type === 'charge.paid')[count - 1]
    prepared.push(event && (await paidSubscriber.prepare(store, event)))
    if (count === 1) right(await byCard(context))
  }
  for (const decide of prepared.reverse()) t.true((await store.commit(decide?.(freshAt(NOW)) ?? [])).ok)
  t.is((await store.find(byId(links, context.id)))?.receivedCents, 2 * CENTS)
})

test('a partial payment counts in the amount of its link at once, and in its uses once the charge is paid', async (t) => {
  const context = await inState('open')
  const { pay, from, store, clock, id, drain } = context
  await store.commit([patch(accounts, from.id, { set: { acceptPartial: true }, when: always })])
  const begun = right(await byPix(context)).charge
  const figures = async () => {
    await drain()
    const { records, summary } = right(await pay.links.list(from.member, {})())
    return [records[0]?.uses, summary.all.receivedCents, summary.active.receivedCents]
  }
  const received = async (valueCents: number, last: string) => {
    const endToEndId = `E0118152120261123130500000000000${last}`
    const notice = { txid: begun.txid ?? '', endToEndId, method: 'pix', paidAt: clock.now(), payer: null } as const
    right(await pay.bank.paid({ ...notice, valueCents })())
    return figures()
  }
  for (const _ of ['once', 'again'])
    t.deepEqual(await received(2_000, 'a'), [{ usesCount: 0, receivedCents: 2_000 }, 2_000, 2_000])
  t.deepEqual(await received(3_000, 'b'), [{ usesCount: 1, receivedCents: CENTS }, CENTS, CENTS])
  t.is((await store.find(byId(links, id)))?.receivedCents, CENTS)
})

test('keeps simultaneous changes of different fields of a link', async (t) => {
  const { pay, from, id } = await inState('open')
  const changes = [{ sendClientId: true }, { installments: 5 }, { maxUses: 9 }]
  for (const changed of await Promise.all(changes.map((change) => pay.links.update(from.member, id, change)())))
    right(changed)
  t.like(right(await pay.links.read(from.member, id)()).link, Object.assign({}, ...changes))
})

test('of two simultaneous pauses of a link one is stored and audited', async (t) => {
  const context = await inState('open')
  const { pay, from, id, clock, every } = context
  const pause = async () => right(await pay.links.pause(from.member, id)())
  const at = clock.now()
  withRace(context, async () => {
    await pause()
    clock.advance(1)
  })
  await pause()
  t.is((await every(links))[0]?.pausedAt, at)
  t.is((await every(audit.entries)).filter(({ action }) => action === 'link.paused').length, 1)
})

test('keeps a method of a link by which a payment begins while it is removed', async (t) => {
  const context = await inState('open')
  const { pay, from, id, every } = context
  withRace(context, async () => right(await byPix(context)))
  const outcome = await pay.links.update(from.member, id, { paymentMethods: ['CARD'] })()
  t.is(inShort<unknown>(outcome), 'paymentMethods link.method-used')
  t.deepEqual((await every(links))[0]?.paymentMethods, ['PIX', 'CARD'])
})
