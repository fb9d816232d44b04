import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { CodesOf, IssueCodesOf } from '../../../core/failure.ts'
import type { InputCode, RuleCode } from '../../../core/kernel/input/field.ts'
import type { RunnerCode } from '../../../core/kernel/running/use-case.ts'
import type { checkPin } from '../../../core/payments/accounts/pin.ts'
import type { updateAccount } from '../../../core/payments/accounts/update-account.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import type { issueCharge } from '../../../core/payments/charges/issue.ts'
import type { readPublicCharge } from '../../../core/payments/charges/queries/read.ts'
import type { clients } from '../../../core/payments/customers/module.ts'
import { jobs } from '../../../core/payments/office.ts'
import { type Payments, paymentsCollections } from '../../../core/payments/payments.ts'
import type { PaymentsModule } from '../../../core/payments/payments-ports.ts'
import type { openAccount } from '../../../core/payments/registrations/opening.ts'
import type { SplitCode } from '../../../core/payments/splits/split.ts'
import { ROOT } from '../../root.ts'
import { openPayments } from './world.ts'

test('runs every queue and job of the business in the worker of an embedder', async (t) => {
  const { pay, mailer, person } = openPayments()
  const { email } = await person()
  await pay.codes.forgotPassword({ email })()
  const worker = pay.worker()
  t.true((await worker.drain()) > 0)
  t.true(mailer.sent.length > 0 && mailer.sent.every(({ to }) => to === email))
  const queues = (await worker.backlogs()).map(({ queue }) => queue)
  t.is(new Set(queues).size, queues.length)
  for (const queue of ['payments.events', 'payments.deliveries', 'payments.mails', jobs.name])
    t.true(queues.includes(queue), queue)
})

test('resumes every kind of bank operation of the core in the worker', async (t) => {
  const folder = join(ROOT, 'core/payments')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const kinds = sources.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\boperationsOf</g) ?? [])
  const queues = (await openPayments().pay.worker().backlogs()).map(({ queue }) => queue)
  t.is(queues.filter((queue) => queue.startsWith(`${bankOperations.name}.`)).length, kinds.length, queues.join())
})

test('rejects a module at compile time whose members are not tasks', (t) => {
  const member = async (_actor: object, id: string) => id
  // @ts-expect-error: the member returns a promise, not a task.
  const module: PaymentsModule = { useCases: () => ({ member }) }
  t.is(typeof module, 'object')
})

test('lists the collections of every room once', (t) => {
  const names = paymentsCollections.map(({ name }) => name)
  t.is(new Set(names).size, names.length)
  t.is(openPayments().pay.collections, paymentsCollections)
})

type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false

type Clients = ReturnType<(typeof clients)['useCases']>

const exactly = <X, Y>(same: Same<X, Y>): boolean => same

test('types a use case with exactly its failure codes', (t) => {
  t.true(exactly<CodesOf<Clients['list']>, 'fields'>(true))
  t.true(exactly<CodesOf<typeof readPublicCharge>, 'fields' | 'charge.unknown'>(true))
  // One commit, whose decision has an inferred type.
  t.true(exactly<CodesOf<Clients['update']>, RunnerCode | 'fields' | 'client.unknown' | 'client.document.taken'>(true))
  // A guess, which is counted before it is compared and has no idempotency key.
  type Pin = 'pin.missing' | 'pin.none' | 'pin.wrong' | 'pin.locked' | 'account.unknown' | 'server.busy'
  t.true(exactly<CodesOf<typeof checkPin>, Exclude<RunnerCode, 'key.conflict'> | Pin>(true))
  // A bank operation.
  type Opening =
    | 'fields'
    | 'organization.limit'
    | 'opening.unknown'
    | 'bank.unsupported'
    | 'bank.refused'
    | 'bank.unavailable'
  t.true(exactly<CodesOf<typeof openAccount>, RunnerCode | Opening>(true))
  // Codes that the facade adds.
  t.true(exactly<CodesOf<Payments>, CodesOf<Payments> | 'permission.lacking'>(true))
})

test('types a use case with exactly its issue codes', (t) => {
  t.true(exactly<IssueCodesOf<typeof checkPin>, never>(true))
  t.true(exactly<IssueCodesOf<typeof openAccount>, InputCode | 'document.taken'>(true))
  type Rates = 'charge.discount' | 'charge.fine' | 'charge.consumer-fine'
  type Settings = 'pin.weak' | 'document.taken' | Rates | 'state' | 'host' | 'file' | 'file.max' | 'image'
  t.true(exactly<IssueCodesOf<typeof updateAccount>, InputCode | Settings>(true))
  type Card =
    `card.${'number' | 'cvv' | 'month' | 'year' | 'expiry' | 'expired' | 'digits' | 'holder' | 'brand' | 'unsupported'}`
  type Terms = 'charge.discount' | 'charge.fine' | 'charge.consumer-fine' | 'day.past' | 'boleto.reach'
  type Charge = InputCode | Card | Terms | 'unknown' | 'state' | 'balance.fee' | SplitCode | RuleCode
  t.true(exactly<IssueCodesOf<typeof issueCharge>, Charge>(true))
})

test('exposes the codes of every member of the facade', (t) => {
  t.true(exactly<string extends CodesOf<Payments> ? 'hidden' : 'told', 'told'>(true))
  t.true(exactly<string extends IssueCodesOf<Payments> ? 'hidden' : 'told', 'told'>(true))
  // @ts-expect-error: not a code of the facade.
  const unheard: CodesOf<Payments> = 'never-heard-of'
  t.is(typeof unheard, 'string')
})
