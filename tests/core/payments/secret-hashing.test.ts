import test from 'ava'
import { nfcHasher } from '../../../core/payments/secret-hashing.ts'
import { cheapHasher } from './world.ts'

const { hasher: plain } = cheapHasher()
const [NFC, NFD] = ['canção'.normalize('NFC'), 'canção'.normalize('NFD')]

test('verifies a hash of an earlier release by the text as typed', async (t) => {
  const hasher = nfcHasher(plain)
  const before = await plain.hash(NFD)
  t.true(await hasher.verify(NFD, before))
  t.false(await hasher.verify(NFC, before))
  const now = await hasher.hash(NFD)
  t.true(await hasher.verify(NFC, now))
  t.true(await hasher.verify(NFD, now))
})

test('compares as often without a hash as with one', async (t) => {
  const asked: string[] = []
  const counted = nfcHasher({
    ...plain,
    verify: async (secret) => asked.push(secret) < 0,
    verifyDummy: async (secret) => void asked.push(secret),
  })
  for (const secret of [NFC, NFD]) {
    await counted.verify(secret, 'any')
    await counted.verifyDummy(secret)
  }
  t.deepEqual(asked, [NFC, NFC, NFC, NFD, NFC, NFD])
})
