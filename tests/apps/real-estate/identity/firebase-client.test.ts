import test, { type ExecutionContext } from 'ava'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
  signInWithEmailAndPassword,
  signOut,
  updateEmail,
  updatePassword,
  updateProfile,
} from 'firebase/auth'
import { decodeJwt } from 'jose'
import { type EstateTestApi, openEstateApi } from '../test-api.ts'

let count = 0

/** The client that web pages have, pointed at the development issuer. */
const clientOf = (t: ExecutionContext, { url }: Pick<EstateTestApi, 'url'>) => {
  count += 1
  const app = initializeApp({ apiKey: 'any', projectId: 'portico' }, `client ${count}`)
  t.teardown(() => deleteApp(app))
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, url, { disableWarnings: true })
  return auth
}

/** By the clock of the machine, which the client goes by. */
const openIssuer = (t: ExecutionContext) => openEstateApi(t, { usualIdentity: true, now: new Date().toISOString() })

const CREDENTIALS = ['ana@example.com', 'segredo-123'] as const

test('somebody signs up by the client of Firebase, founds a company and works in it', async (t) => {
  const api = await openIssuer(t)
  const auth = clientOf(t, api)
  const { user } = await createUserWithEmailAndPassword(auth, ...CREDENTIALS)
  t.like(user, { email: CREDENTIALS[0], emailVerified: true, displayName: null, isAnonymous: false })
  await updateProfile(user, { displayName: 'Ana Souza', photoURL: 'https://example.com/ana.png' })
  t.like(user, { displayName: 'Ana Souza', photoURL: 'https://example.com/ana.png' })
  const { token, signInProvider, claims } = await user.getIdTokenResult()
  t.deepEqual([signInProvider, claims.name], ['password', 'Ana Souza'])
  const body = {
    firebaseUid: user.uid,
    email: user.email,
    name: 'Ana',
    role: 'Admin',
    companyId: crypto.randomUUID(),
    company: { legalName: 'Aurora Ltda.' },
  }
  t.is((await api.ask('POST', '/api/auth/register', { token, body })).status, 201)
  const signedIn = await api.ask('POST', '/api/auth/login', { token, body: {} })
  t.like(signedIn.body, { firebaseUid: user.uid, name: 'Ana Souza', company: { legalName: 'Aurora Ltda.' } })

  api.clock.advance(1)
  const renewed = await user.getIdToken(true)
  t.true(Number(decodeJwt(renewed).iat) > Number(decodeJwt(token).iat))
  t.is((await api.ask('GET', '/api/clients', { token: renewed })).status, 200)

  await signOut(auth)
  const again = await signInWithEmailAndPassword(auth, 'ANA@example.com', CREDENTIALS[1])
  t.like(again.user, { uid: user.uid, displayName: 'Ana Souza' })
  await again.user.reload()
  t.is(again.user.email, CREDENTIALS[0])
})

test('the client of Firebase changes e-mail and password', async (t) => {
  const api = await openIssuer(t)
  const auth = clientOf(t, api)
  const { user } = await createUserWithEmailAndPassword(auth, ...CREDENTIALS)
  await updateEmail(user, 'nova@example.com')
  await updatePassword(user, 'outra-senha')
  t.truthy(await user.getIdToken(true))
  await signOut(auth)
  await t.throwsAsync(signInWithEmailAndPassword(auth, ...CREDENTIALS), { code: 'auth/invalid-credential' } as object)
  t.is((await signInWithEmailAndPassword(auth, 'nova@example.com', 'outra-senha')).user.uid, user.uid)
})

test('the client of Firebase knows what went wrong', async (t) => {
  const api = await openIssuer(t)
  const auth = clientOf(t, api)
  const codeOf = async (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'nothing went wrong',
      (error: { readonly code: unknown }) => error.code,
    )
  await createUserWithEmailAndPassword(auth, ...CREDENTIALS)
  const signUp = (email: string, password: string) => codeOf(createUserWithEmailAndPassword(auth, email, password))
  const signIn = (email: string, password: string) => codeOf(signInWithEmailAndPassword(auth, email, password))
  t.is(await signUp(...CREDENTIALS), 'auth/email-already-in-use')
  t.is(await signUp('bia@example.com', '12345'), 'auth/weak-password')
  t.is(await signUp('bia', 'segredo-123'), 'auth/invalid-email')
  t.is(await signUp('bia@example.com', ''), 'auth/missing-password')
  for (let failures = 1; failures <= 5; failures += 1)
    t.is(await signIn(CREDENTIALS[0], 'errada'), 'auth/invalid-credential')
  t.is(await signIn(...CREDENTIALS), 'auth/too-many-requests')
})
