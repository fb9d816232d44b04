import type { Answer, TextAnswer } from '../../../apps/http/replies/reply.ts'
import { type Either, type Failure, isLeft, left, map, right } from '../../../core/failure.ts'
import type { ChargeDetail } from '../../../core/payments/charges/detail.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { ask, type Process } from '../environment/process.ts'
import { type Act, isOneKey, KEY_LIFE_MS, type KeyedOpening, type KeyedOrder, some } from './cast.ts'
import { someCharge } from './merchants.ts'
import { cnpjOf } from './people.ts'

const bodyOf = ({ charge }: ChargeDetail): string => JSON.stringify({ id: charge.id, code: charge.code })

const encode = (detail: ChargeDetail): TextAnswer => ({
  status: 200,
  type: 'application/json',
  body: bodyOf(detail),
  headers: {},
})

export const orderByKey: Act = async (environment, cast, process) => {
  const merchant = some(environment, cast.merchants)
  if (!merchant) return
  const key = `pedido-${cast.orders.length + 1}`
  const input = { ...(await someCharge(environment, merchant)), description: key }
  const order: KeyedOrder = {
    key,
    over: cast.orders.length % 2 === 0 ? 'http' : 'program',
    merchant,
    input,
    firstMs: environment.agenda.nowMs(),
    answers: [],
    last: null,
    asking: 0,
    isOld: false,
  }
  cast.orders.push(order)
  await askFor(order)(environment, cast, process)
}

export const repeatOrder: Act = async (environment, cast, process) => {
  const order = some(environment, cast.orders.slice(-8))
  if (order) await askFor(order)(environment, cast, process)
}

export const askFor =
  (order: KeyedOrder): Act =>
  async ({ agenda, trace, broken }, _, process) => {
    if (agenda.nowMs() - order.firstMs > KEY_LIFE_MS) return
    const { key, answers } = order
    const isAnswered = answers.length > 0
    order.asking += 1
    const answer = await Promise.race([answerTo(order, process), process.life.over])
    order.asking -= 1
    order.isOld ||= agenda.nowMs() - order.firstMs > KEY_LIFE_MS
    const outcome = answer && (isLeft(answer) ? answer.left.code : answer.right)
    trace.note(`key ${key}: ${outcome}`)
    if (!answer) return
    order.last = outcome
    if (!isLeft(answer)) answers.push(answer.right)
    else if (isAnswered && answer.left.tag !== 'unavailable' && isOneKey(order, agenda.nowMs()))
      broken.push(`${key} was answered, and is ${answer.left.code}`)
    else if (answer.left.code === 'key.reused')
      broken.push(`${key} was repeated by the same request and is ${answer.left.code}`)
    if (isOneKey(order, agenda.nowMs()) && answers.some((body) => body !== answers[0]))
      broken.push(`${key} had other answers: ${answers.join(' ')}`)
  }

/** Sends the request and returns the charge of the answer. */
const answerTo = async (order: KeyedOrder, process: Process): Promise<Either<Failure, string>> => {
  if (order.over === 'http') return map(textOf)(await overHttp(order, process))
  return map(bodyOf)(await process.pay.charges.issue(order.merchant, order.input)({ key: order.key }))
}

const textOf = (answer: Answer): string => ('body' in answer ? `${answer.body}` : '')

/** Handles the order as an HTTP request with the header `Idempotency-Key` is handled. */
const overHttp = async (
  { key, merchant, input }: KeyedOrder,
  { keys, pay }: Process,
): Promise<Either<Failure, Answer>> => {
  try {
    const claim = keys.claim(['charges', String(merchant.accountId)], key, input)
    if ('tag' in claim) return left(claim)
    const state = await keys.stateOf(claim)
    if (state.is === 'done') return right(state.reply)
    if (state.is === 'refused') return left(state.failure)
    if (state.is === 'running') return left(keys.running)
    if (state.is === 'abandoned') {
      return await keys.resume(claim, state, pay.charges.resume(state.intent), encode)
    }
    return await keys.first(claim, state.expired, pay.charges.issue(merchant, input), encode)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return left({ tag: 'unavailable', code: 'store.unavailable', retryAfterSeconds: 1 })
  }
}

/** Documents of organizations requested under a key start here, so that they are unique. */
const FIRST_OF_KEYS = 500_000_000

export const openByKey: Act = async (environment, cast, process) => {
  const person = some(environment, cast.people)
  const userId = person?.userId ?? null
  if (userId === null) return
  const number = cast.openings.length + 1
  const input = { name: `Loja ${number}`, email: null, document: cnpjOf(FIRST_OF_KEYS + number) }
  const firstMs = environment.agenda.nowMs()
  const opening: KeyedOpening = { key: `conta-${number}`, userId, input, firstMs, answers: [], last: null }
  cast.openings.push(opening)
  await askForOpening(opening)(environment, cast, process)
}

/** Repeats one of the last openings, also while the bank does not answer. */
export const repeatOpening: Act = async (environment, cast, process) => {
  const opening = some(environment, cast.openings.slice(-4))
  if (opening) await askForOpening(opening)(environment, cast, process)
}

export const askForOpening =
  (opening: KeyedOpening): Act =>
  async ({ agenda, trace, broken }, _, process) => {
    const { key, userId, input, firstMs, answers } = opening
    // The key and an ended opening are deleted after this time.
    if (agenda.nowMs() - firstMs > KEY_LIFE_MS) return
    // A repeat sent before the first answer may be answered `key.running` after it.
    const isAnswered = answers.length > 0
    const answer = await ask(process, () => process.pay.openings.open({ userId }, input)({ key }))
    const outcome = answer && (isLeft(answer) ? answer.left.code : answer.right.uuid)
    trace.note(`key ${key}: ${outcome}`)
    if (!answer || agenda.nowMs() - firstMs > KEY_LIFE_MS) return
    opening.last = outcome
    if (!isLeft(answer)) answers.push(answer.right.uuid)
    else if (answer.left.code === 'fields') broken.push(`${key} was refused because of its own document`)
    else if (isAnswered && answer.left.tag !== 'unavailable')
      broken.push(`${key} was answered, and is ${answer.left.code}`)
    if (answers.some((uuid) => uuid !== answers[0])) broken.push(`${key} had other answers: ${answers.join(' ')}`)
  }
