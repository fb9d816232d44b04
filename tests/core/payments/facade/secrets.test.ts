import test from 'ava'
import { story } from './story.ts'
import { memberNames, type Told, textsIn } from './told.ts'

/** Stored fields of a secret: hashes of passwords, PINs and codes, digests for look-ups, sealed texts. */
const SECRET = /(hash|sealed|mark|digest|digests\.\d+)$/i
const SHORTEST_SECRET = 8

test('no member of the facade returns the hash, the digest or the sealed text of a secret', async (t) => {
  const told: Told = new Map()
  const { pay, every } = await story(told)
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
