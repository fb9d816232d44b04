import { isLeft } from '../../../core/fp.ts'
import { ask } from '../environment/process.ts'
import { type Act, KEY_LIFE_MS, type KeyedOpening, some } from './cast.ts'
import { cnpjOf } from './people.ts'

/** Documents of organizations that are asked for by key: nobody else has them. */
const FIRST_OF_KEYS = 500_000_000

/** Somebody asks for an organization of their own under a new key. */
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

/** Somebody who does not know what became of it asks again, also while the bank is silent. */
export const repeatOpening: Act = async (environment, cast, process) => {
  const opening = some(environment, cast.openings.slice(-4))
  if (opening) await askForOpening(opening)(environment, cast, process)
}

export const askForOpening =
  (opening: KeyedOpening): Act =>
  async ({ agenda, trace, broken }, _, process) => {
    const { key, userId, input, firstMs, answers } = opening
    // From then on the key, or the opening that has ended, is forgotten.
    if (agenda.nowMs() - firstMs > KEY_LIFE_MS) return
    // Whoever asks while the first one is still under way may be told so, though that has its answer by then.
    const isAnswered = answers.length > 0
    const answer = await ask(process, () => process.pay.openings.open({ userId }, input)({ key }))
    const told = answer && (isLeft(answer) ? answer.left.code : answer.right.uuid)
    trace.note(`key ${key}: ${told}`)
    if (!answer || agenda.nowMs() - firstMs > KEY_LIFE_MS) return
    opening.last = told
    if (!isLeft(answer)) answers.push(answer.right.uuid)
    else if (answer.left.code === 'fields') broken.push(`${key} is told that its own document is taken`)
    else if (isAnswered && answer.left.tag !== 'unavailable')
      broken.push(`${key} was answered, and is ${answer.left.code}`)
    if (answers.some((uuid) => uuid !== answers[0])) broken.push(`${key} had other answers: ${answers.join(' ')}`)
  }
