import { createSecretKey, randomUUID } from 'node:crypto'
import Router from '@koa/router'
import jwt from 'jsonwebtoken'
import Koa, { type Context } from 'koa'
import { koaBody } from 'koa-body'
import { openDatabase, type Statement } from '../../../adapters/sqlite/connection.ts'
import type { Collection, Rec } from '../../../core/kernel/records/record.ts'
import { sessions } from '../../../core/payments/access/session.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { type Charge, charges } from '../../../core/payments/charges/charge.ts'
import { clients } from '../../../core/payments/customers/client.ts'
import type { Membership } from '../../../core/payments/members/membership.ts'
import { type User, users } from '../../../core/payments/members/user.ts'
import { staticPixCode } from '../../../core/payments/pix/br-code.ts'

// The rows for charges, written by hand: the same framework and driver, a JWT check, a prepared statement a record, the
// same bytes in the answers, and for a POST two synchronous transactions of as many records. No audit, keys, tallies,
// filters, roles or errors. Runs in its own process: by-hand-server.ts FILE SECRET, where FILE is a copy of the app's.
const [file = '', secret = ''] = process.argv.slice(2)
const key = createSecretKey(Buffer.from(secret, 'base64'))
const database = await openDatabase(file)
for (const pragma of ['journal_mode=WAL', 'synchronous=FULL', 'cache_size=-65536', 'temp_store=MEMORY'])
  database.prepare(`PRAGMA ${pragma}`).get()
for (const made of [
  'CREATE TABLE IF NOT EXISTS written (id TEXT PRIMARY KEY, doc TEXT NOT NULL)',
  'CREATE INDEX IF NOT EXISTS by_hand ON "payments.charges" (f_accountId, f_createdAt, id)',
  'CREATE TABLE IF NOT EXISTS by_hand_counts AS SELECT f_accountId AS accountId, count(*) AS n FROM "payments.charges" GROUP BY 1',
])
  database.prepare(made).run()

/** Finds a record by a prepared statement. */
const finding =
  <R extends Rec>(statement: Statement) =>
  (key: string | number): R =>
    JSON.parse(String(statement.get(key)?.doc))
const byId = <R extends Rec>({ name }: Collection<R>) =>
  finding<R>(database.prepare(`SELECT doc FROM "${name}" WHERE id = ?`))
const [session, user, account] = [byId(sessions), byId(users), byId(accounts)]
const [charge, client] = [byId(charges), byId(clients)]
const membership = finding<Membership>(
  database.prepare('SELECT doc FROM "payments.memberships" WHERE f_userId = ? LIMIT 1'),
)
const page = database.prepare(
  'SELECT doc FROM "payments.charges" INDEXED BY by_hand WHERE f_accountId = ? ORDER BY f_createdAt DESC, id DESC LIMIT ? OFFSET ?',
)
const count = database.prepare('SELECT n FROM by_hand_counts WHERE accountId = ?')
const insert = database.prepare('INSERT INTO written VALUES (?, ?)')
const update = database.prepare('UPDATE written SET doc = ? WHERE id = ?')
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]

/** Returns the caller and the account. */
const callerOf = (ctx: Context) => {
  const { sub, sid, jti } = Object(jwt.verify(ctx.get('Authorization').slice('Bearer '.length), key))
  const { jti: present, endedAt } = session(sid)
  const by = user(Number(sub))
  const of = account(membership(by.id).accountId)
  if (present !== jti || endedAt !== null || of.removedAt !== null) ctx.throw(401)
  return { by, of }
}

const STATUS = { id: 1, title: 'pending', description: 'Pendente' }

const dated = (instant: string): string =>
  `${new Date(Date.parse(instant) - 10_800_000).toISOString().slice(0, 19)}-03:00`

const shown = (of: Charge) => {
  const { pix, valueCents } = of
  const { id, name, email, document } = client(of.clientId)
  return {
    id: of.id,
    code: of.code,
    url: `http://localhost/pay/charge/${of.code}`,
    value: valueCents / 100,
    amount_paid: of.amountPaidCents,
    refunded_value: of.refundedCents,
    payment_date: of.paymentDate,
    status: STATUS,
    description: of.description,
    payment_method: of.paymentMethod,
    due_date: of.dueDate,
    client: { id, name, email, document },
    pix: pix && { txid: pix.txid, qrcode: codeOf(pix, valueCents), status: 'pending' },
    boleto: of.boleto,
    created_by: of.createdBy,
    created_at: dated(of.createdAt),
  }
}

const codeOf = (
  { key: pixKey, payeeName: merchantName, payeeCity: merchantCity, txid }: NonNullable<Charge['pix']>,
  amountCents: number,
): string => staticPixCode({ key: pixKey, merchantName, merchantCity, amountCents, txid })

const full = (of: Charge, { id, name }: User) => ({ ...shown(of), tag: null, createdBy: { id, name }, refunds: [] })

const ok = (data: unknown, message: string, more: object = {}) => ({ code: 200, success: true, data, ...more, message })

const inTransaction = (work: () => void): void => {
  begin.run()
  work()
  commit.run()
}

let last = Number(database.prepare('SELECT max(id) AS n FROM "payments.charges"').get()?.n)
const template = charge(1)
/** As long as the records that the app stores beside a charge. */
const [OPERATION, TITLE, EVENT] = ['x'.repeat(500), 'x'.repeat(200), 'x'.repeat(1_000)]

const router = new Router()
router.get('/invoices/:id', (ctx) => {
  const { by, of } = callerOf(ctx)
  const found = charge(Number(ctx.params.id))
  if (found.accountId !== of.id) ctx.throw(404)
  ctx.body = ok(full(found, by), 'Detalhes da Cobrança')
})
router.get('/invoices', (ctx) => {
  const { of } = callerOf(ctx)
  const [at, size] = [Number(ctx.query.page ?? 1), Number(ctx.query.per_page)]
  const found = page.all(of.id, size, (at - 1) * size).map(({ doc }) => shown(JSON.parse(String(doc))))
  const total = Number(count.get(of.id)?.n)
  const meta = { current_page: at, per_page: size, total, last_page: Math.ceil(total / size) }
  ctx.body = ok(found, 'Cobranças listadas com sucesso.', { meta })
})
router.post('/invoices', koaBody(), (ctx) => {
  const { by, of } = callerOf(ctx)
  const { value } = Object(ctx.request.body)
  last += 1
  const made: Charge = { ...template, id: last, accountId: of.id, valueCents: Math.round(value * 100) }
  const [operation, title, event] = [randomUUID(), randomUUID(), randomUUID()]
  inTransaction(() => {
    insert.run(`${last}`, JSON.stringify(made))
    insert.run(operation, OPERATION)
  })
  inTransaction(() => {
    insert.run(title, TITLE)
    insert.run(event, EVENT)
    update.run(JSON.stringify(made), `${last}`)
    update.run(OPERATION, operation)
    update.run(EVENT, event)
  })
  ctx.status = 201
  ctx.body = ok(full(made, by), 'Cobrança criada com sucesso')
})

const app = new Koa()
app.use(router.routes())
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
