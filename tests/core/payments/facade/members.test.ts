import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import { story } from './story.ts'
import { type Before, memberNames, type Told, textsIn } from './told.ts'

/** Members whose argument is an actor, a record or the result of another member. */
const WITHOUT_INPUT: ReadonlySet<string> = new Set([
  'access.resolveAccount',
  'charges.readFull',
  'charges.readInvoice',
  'sessions.refresh',
  'statements.chartSales',
  'statements.listBalanceDays',
  'statements.readBalance',
])

/** Takes any JSON. */
const ANY_JSON = 'json'

/** Stored fields of a secret: hashes of passwords, PINs and codes, digests for look-ups, sealed texts. */
const SECRET = /(hash|sealed|mark|digest|digests\.\d+)$/i
const SHORTEST_SECRET = 8

type Input = Readonly<Record<string, unknown>>

/**
 * Reports whether an argument is an input, and neither an actor, the origin of a request nor the id and token of a
 * link.
 */
const isInput = (given: unknown): given is Input =>
  typeof given === 'object' &&
  given !== null &&
  !('userId' in given || 'device' in given || ('id' in given && 'token' in given))

test('every member of the facade names a wrong field as programs do, and none returns a hash, digest or sealed text', async (t) => {
  const tried = new Set<string>()
  const before: Before = async (name, ask, given) => {
    const at = given.findIndex(isInput)
    const sent = given[at]
    if (!isInput(sent) || WITHOUT_INPUT.has(name) || tried.has(`${name} ${Object.keys(sent)}`)) return
    tried.add(`${name} ${Object.keys(sent)}`)
    const wrongIn = async (input: unknown): Promise<readonly string[]> => {
      const outcome = await ask(...given.slice(0, at), input, ...given.slice(at + 1))()
      if (!isLeft(outcome)) return ['accepted']
      return outcome.left.tag === 'invalid' ? outcome.left.issues.map(({ path }) => path) : [outcome.left.code]
    }
    for (const none of [3, 'x', [], true]) t.deepEqual(await wrongIn(none), [''], name)
    for (const [field, value] of Object.entries(sent).filter(([name]) => name !== ANY_JSON)) {
      const wrong = typeof value === 'object' ? 7 : {}
      t.deepEqual(await wrongIn({ ...sent, [field]: wrong }), [field], name)
    }
  }
  const told: Told = new Map()
  const { pay, every } = await story(told, before)
  t.true(tried.size > 100, `${tried.size}`)
  t.deepEqual([...told.keys()].sort(), [...memberNames(pay)].sort(), 'each of them was asked, and answered')

  const secrets = new Set<string>()
  for (const from of pay.collections)
    for (const record of await every(from))
      for (const [path, text] of textsIn(record))
        if (SECRET.test(path) && text.length >= SHORTEST_SECRET) secrets.add(text)
  t.true([...secrets].some((text) => text.startsWith('scrypt$')))

  for (const [member, answers] of told)
    for (const [path, text] of textsIn(answers)) {
      t.notRegex(path, SECRET, member)
      t.false(text.startsWith('scrypt$') || secrets.has(text), `${member} ${path}`)
    }
})
