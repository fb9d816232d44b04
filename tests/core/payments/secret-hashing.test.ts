import test from 'ava'
import { nfcHasher } from '../../../core/payments/secret-hashing.ts'
import { cheapHasher } from './access/test-ports.ts'

const { hasher: plain } = cheapHasher()
const [NFC, NFD] = ['canção'.normalize('NFC'), 'canção'.normalize('NFD')]

test('a hash that an earlier release made of a text as it was typed is opened by it', async (t) => {
  const hasher = nfcHasher(plain)
  const before = await plain.hash(NFD)
  t.true(await hasher.verify(NFD, before))
  t.false(await hasher.verify(NFC, before))
  const now = await hasher.hash(NFD)
  t.true(await hasher.verify(NFC, now))
  t.true(await hasher.verify(NFD, now))
})

test('whoever has no hash is compared as often as whoever has one', async (t) => {
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
