import { isLeft, right } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { isCnpj } from '../../../core/kernel/values/tax-id.ts'
import { accounts, type ShownAccount } from '../../../core/payments/accounts/account.ts'
import { ask } from '../environment/process.ts'
import { DEAD_HOST, GONE_HOST, UNREACHABLE } from '../environment/receivers.ts'
import { type Act, knows, type Person, some } from './cast.ts'

const ORIGIN = { address: '203.0.113.7', device: null }
const LIVELY = ['um.test', 'dois.test'] as const
const WRONG = 'nunca foi essa'

/** Registers a new person, or a registered one again. */
export const register: Act = async ({ dice, trace }, cast, process) => {
  const again = dice.chance(0.2) ? some({ dice }, cast.people) : null
  const domain = dice.chance(0.2) ? UNREACHABLE : 'loja.test'
  const password = `correto e longo ${cast.people.length}`
  const email = `p${cast.people.length + 1}@${domain}`
  const person: Person = again ?? { email, password, userId: null, token: null, documents: [] }
  if (!again) cast.people.push(person)
  const input = { name: 'Maria', email: person.email, password: person.password, phone: null }
  const outcome = await ask(process, process.pay.people.register(input, ORIGIN))
  trace.note(`register ${person.email}: ${outcome?._tag}`)
  if (!outcome || isLeft(outcome)) return
  person.userId = outcome.right.user.id
  person.token = outcome.right.accessToken
}

/** Logs a person in, with a wrong password in 30 % of the cases. */
export const logIn: Act = async ({ dice, trace, broken }, cast, process) => {
  const person = some({ dice }, cast.people)
  if (!person) return
  const { email } = person
  const isWrong = dice.chance(0.3)
  const password = isWrong ? WRONG : person.password
  const outcome = await ask(process, process.pay.sessions.logIn({ email, password }, ORIGIN))
  trace.note(`log-in ${email}: ${outcome?._tag}`)
  if (!outcome || isLeft(outcome)) return
  if (isWrong) broken.push(`${email} logged in with a wrong password`)
  person.userId = outcome.right.user.id
  person.token = outcome.right.accessToken
}

/** Logs a person out and checks that the token is rejected afterwards. */
export const logOut: Act = async ({ dice, broken }, cast, process) => {
  const person = some({ dice }, cast.people)
  const token = person?.token ?? null
  if (!person || token === null) return
  const caller = await ask(process, process.pay.sessions.authenticate(token))
  if (!caller || isLeft(caller)) return
  const ended = await ask(process, process.pay.sessions.logOut(caller.right))
  if (!ended || isLeft(ended)) return
  if (person.token === token) person.token = null
  const after = await ask(process, process.pay.sessions.authenticate(token))
  if (after && !isLeft(after)) broken.push(`${person.email} is still logged in after logging out`)
}

/** Returns the CNPJ whose first twelve digits are the number. */
export const cnpjOf = (number: number): string => {
  const root = String(number).padStart(12, '0')
  const checks = Array.from({ length: 100 }, (_, digits) => root + String(digits).padStart(2, '0'))
  return checks.find(isCnpj) ?? root
}

/** Opens an organization: a new one, or one that this or another person requested before. */
export const openAccount: Act = async (environment, cast, process) => {
  const { dice, trace } = environment
  const person = some(environment, cast.people)
  const userId = person?.userId ?? null
  if (!person || userId === null) return
  const known = dice.chance(0.5) ? some(environment, dice.pick(cast.people).documents) : null
  const count = cast.people.reduce((sum, { documents }) => sum + documents.length, 0)
  const document = known ?? cnpjOf(count + 1)
  if (!person.documents.includes(document)) person.documents.push(document)
  const input = { name: `Loja ${document}`, email: null, document }
  const outcome = await ask(process, process.pay.openings.open({ userId }, input))
  trace.note(`open ${document} ${userId}: ${outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.id)}`)
  if (outcome && !isLeft(outcome)) await setUpMerchant(environment, cast, process, outcome.right, userId)
}

/** Lists the organizations of a person: the answer to an opening may have been lost. */
export const findMerchants: Act = async (environment, cast, process) => {
  const person = some(environment, cast.people)
  if (!person || person.token === null || person.userId === null) return
  const { token, userId } = person
  const caller = await ask(process, process.pay.sessions.authenticate(token))
  if (!caller || isLeft(caller)) return
  const found = await ask(process, process.pay.organizations.list(caller.right, { page: 1, perPage: 50 }))
  if (!found || isLeft(found) || !('records' in found.right)) return
  for (const account of found.right.records) await setUpMerchant(environment, cast, process, account, userId)
}

/** Sets the webhook of the account before its first event; from then on it is a merchant. */
const setUpMerchant = async (
  ...[environment, cast, process, account, userId]: [...Parameters<Act>, ShownAccount, number]
) => {
  if (knows(cast, account)) return
  const host = environment.dice.pick([...LIVELY, ...LIVELY, ...LIVELY, DEAD_HOST, GONE_HOST, null])
  const webhookUrl = host && `https://${host}/contas/${account.id}`
  const { commit } = process.ports.store
  const change = patch(accounts, account.id, { set: { webhookUrl }, when: always })
  const set = await ask(process, async () => right(await commit([change])))
  if (!set || isLeft(set) || !set.right.ok || knows(cast, account)) return
  cast.merchants.push({ accountId: account.id, userId })
  cast.fees.set(account.id, new Set([account.fees.pixInCents]))
}
