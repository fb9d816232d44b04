import test from 'ava'
import { passkeyVerifier, WrongPasskeySite } from '../../../adapters/passkeys/passkey-verifier.ts'
import { softwareAuthenticator } from './software-authenticator.ts'

const ORIGIN = 'https://pay.example.com'
const CEREMONY = { challenge: 'AAECAwQFBgcICQoLDA0ODw', requiresVerification: true }
const OPTIONS = { challenge: CEREMONY.challenge, rp: { id: 'pay.example.com' } }

type Authenticator = ReturnType<typeof softwareAuthenticator>

const registrationOf = ({ id, response }: ReturnType<Authenticator['create']>) => ({
  id,
  clientDataJson: response.clientDataJSON,
  attestationObject: response.attestationObject,
})

const assertionOf = ({ id, response }: ReturnType<Authenticator['get']>) => ({
  id,
  clientDataJson: response.clientDataJSON,
  authenticatorData: response.authenticatorData,
  signature: response.signature,
})

const open = () => {
  const verifier = passkeyVerifier({ publicUrl: ORIGIN })
  const authenticator = softwareAuthenticator(ORIGIN)
  const register = (...over: Parameters<Authenticator['create']> extends [unknown, ...infer O] ? O : never) =>
    verifier.verifyRegistration(registrationOf(authenticator.create(OPTIONS, ...over)), CEREMONY)
  return { verifier, authenticator, register }
}

const DEVIATIONS = {
  'of another origin': { origin: 'https://pay.example.com.evil.example' },
  'of another domain': { rpId: 'evil.example' },
  'of another challenge': { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' },
  'of another ceremony': { type: 'payment.get' },
  'without the presence of the person': { isPresent: false },
  'without a verification of the person': { isVerified: false },
}

test('verifies a registration and its assertions, and returns the counter as it was signed', async (t) => {
  const { verifier, authenticator, register } = open()
  const found = await register({ isBackedUp: true })
  if (!found) return t.fail('the registration is valid')
  const { publicKey, ...facts } = found
  t.deepEqual(facts, { counter: 1, isVerified: true, isBackedUp: true, device: 'multiple' })
  const ceremony = { ...CEREMONY, publicKey }
  for (const counter of [2, 0]) {
    const assertion = assertionOf(authenticator.get(OPTIONS, { counter, isBackedUp: true }))
    const asserted = { counter, isVerified: true, isBackedUp: true }
    t.deepEqual(await verifier.verifyAssertion(assertion, ceremony), asserted)
    const other = { ...assertion, signature: `A${assertion.signature.slice(1)}` }
    t.is(await verifier.verifyAssertion(other, ceremony), null, 'a changed signature')
  }
  const unverified = assertionOf(authenticator.get(OPTIONS, { isVerified: false }))
  t.like(await verifier.verifyAssertion(unverified, { ...ceremony, requiresVerification: false }), {
    isVerified: false,
  })
})

for (const [title, over] of Object.entries(DEVIATIONS))
  test(`rejects a registration and an assertion ${title}`, async (t) => {
    const { verifier, authenticator, register } = open()
    t.is(await register(over), null)
    const found = await register()
    const assertion = assertionOf(authenticator.get(OPTIONS, over))
    t.is(await verifier.verifyAssertion(assertion, { ...CEREMONY, publicKey: found?.publicKey ?? '' }), null)
  })

test('rejects a foreign id and malformed values', async (t) => {
  const { verifier, authenticator } = open()
  const registration = registrationOf(authenticator.create(OPTIONS))
  t.truthy(await verifier.verifyRegistration(registration, CEREMONY))
  for (const over of [{ id: 'AAAA' }, { clientDataJson: 'AAAA' }, { attestationObject: 'AAAA' }])
    t.is(await verifier.verifyRegistration({ ...registration, ...over }, CEREMONY), null, Object.keys(over)[0])
})

test('accepts a site with a domain and TLS, or on localhost, and a parent of its host', (t) => {
  for (const publicUrl of ['http://pay.example.com', 'https://10.0.0.1', 'https://[::1]', 'http://127.0.0.1:3000', ''])
    t.throws(() => passkeyVerifier({ publicUrl }), { instanceOf: WrongPasskeySite }, publicUrl)
  t.throws(() => passkeyVerifier({ publicUrl: ORIGIN, id: 'ample.com' }), { instanceOf: WrongPasskeySite })
  t.is(passkeyVerifier({ publicUrl: 'http://localhost:3000' }).site.id, 'localhost')
  t.deepEqual(passkeyVerifier({ publicUrl: ORIGIN, id: 'example.com', name: 'Loja' }).site, {
    id: 'example.com',
    name: 'Loja',
  })
})
