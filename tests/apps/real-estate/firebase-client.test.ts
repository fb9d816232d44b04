import test, { type ExecutionContext } from 'ava'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  fetchSignInMethodsForEmail,
  initializeAuth,
  inMemoryPersistence,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  updateProfile,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from 'firebase/auth'
import { decodeJwt } from 'jose'
import { type EstateTestApi, openEstateApi, outcomeOf } from './test-api.ts'

let count = 0

/** Returns the web client of Firebase, connected to the development issuer. */
const clientOf = (t: ExecutionContext, { url }: Pick<EstateTestApi, 'url'>) => {
  count += 1
  const app = initializeApp({ apiKey: 'any', projectId: 'portico' }, `client ${count}`)
  t.teardown(() => deleteApp(app))
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, url, { disableWarnings: true })
  return auth
}

/** Uses the clock of the machine, as the client does. */
const openIssuer = (t: ExecutionContext) => openEstateApi(t, { usualIdentity: true, now: new Date().toISOString() })

const CREDENTIALS = ['ana@example.com', 'segredo-123'] as const

test('the Firebase client signs up a user, who founds a company and works in it', async (t) => {
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

const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'nothing went wrong',
    (error: { readonly code: unknown }) => error.code,
  )

/** Returns the code in the link of the newest mail to an address. */
const mailedCode = async (api: EstateTestApi, email: string): Promise<string> => {
  const [, mode, code = ''] = /\/panel#mode=(\w+)&oobCode=(\S+)\n/.exec((await api.mailsTo(email)).at(-1) ?? '') ?? []
  return mode === undefined ? '' : code
}

test('the Firebase client resets a password with a mailed code, which works once', async (t) => {
  const api = await openIssuer(t)
  const auth = clientOf(t, api)
  const { user } = await createUserWithEmailAndPassword(auth, CREDENTIALS[0], 'sen\u0303a-123')
  await signOut(auth)
  const composed = await signInWithEmailAndPassword(auth, CREDENTIALS[0], 'se\u00f1a-123')
  t.is(composed.user.uid, user.uid, 'a password is the same in NFD and NFC')
  await sendPasswordResetEmail(auth, CREDENTIALS[0])
  t.is(await codeOf(sendPasswordResetEmail(auth, 'bia@example.com')), 'auth/user-not-found')
  const code = await mailedCode(api, CREDENTIALS[0])
  t.is(await verifyPasswordResetCode(auth, code), CREDENTIALS[0])
  t.is(await codeOf(confirmPasswordReset(auth, code, '123')), 'auth/weak-password')
  t.is(await codeOf(applyActionCode(auth, code)), 'auth/invalid-action-code')
  await confirmPasswordReset(auth, code, 'outra-senha')
  for (const used of [code, `${code}x`, 'x'])
    t.is(await codeOf(confirmPasswordReset(auth, used, 'mais-uma')), 'auth/invalid-action-code')
  t.is((await signInWithEmailAndPassword(auth, CREDENTIALS[0], 'outra-senha')).user.uid, user.uid)
  api.clock.advance(1)
  await sendPasswordResetEmail(auth, CREDENTIALS[0])
  const late = await mailedCode(api, CREDENTIALS[0])
  api.clock.advance(3_601)
  t.is(await codeOf(verifyPasswordResetCode(auth, late)), 'auth/expired-action-code')
})

test('the Firebase client confirms and changes an e-mail with mailed codes, and deletes its account', async (t) => {
  const api = await openIssuer(t)
  const auth = clientOf(t, api)
  const { user } = await createUserWithEmailAndPassword(auth, ...CREDENTIALS)
  await sendEmailVerification(user)
  const code = await mailedCode(api, CREDENTIALS[0])
  t.is((await checkActionCode(auth, code)).operation, 'VERIFY_EMAIL')
  await applyActionCode(auth, code)
  t.is(await codeOf(applyActionCode(auth, code)), 'auth/invalid-action-code')
  await user.reload()
  t.true(user.emailVerified)
  await verifyBeforeUpdateEmail(user, 'nova@example.com')
  await applyActionCode(auth, await mailedCode(api, 'nova@example.com'))
  const { user: moved } = await signInWithEmailAndPassword(auth, 'nova@example.com', CREDENTIALS[1])
  t.is(moved.uid, user.uid)
  await deleteUser(moved)
  t.is(await codeOf(signInWithEmailAndPassword(auth, 'nova@example.com', CREDENTIALS[1])), 'auth/invalid-credential')
  t.is((await createUserWithEmailAndPassword(auth, 'nova@example.com', 'de-novo')).user.email, 'nova@example.com')
})

test('an unknown operation of the issuer returns the error of the provider', async (t) => {
  const api = await openEstateApi(t, { usualIdentity: true, env: { CORS_ORIGINS: 'https://app.example.com' } })
  t.is(await codeOf(fetchSignInMethodsForEmail(clientOf(t, api), CREDENTIALS[0])), 'auth/operation-not-allowed')
  const [accounts, tokens] = ['/identitytoolkit.googleapis.com', '/securetoken.googleapis.com']
  for (const [method, path, status] of [
    ['POST', `${accounts}/v1/accounts:signInWithIdp`, 404],
    ['GET', `${accounts}/v2/recaptchaConfig?key=any`, 404],
    ['GET', `${accounts}/v1/accounts:signUp`, 405],
    ['POST', `${tokens}/v1/other`, 404],
  ] as const) {
    const { status: got, body } = await api.ask(method, path, method === 'POST' ? { body: {} } : {})
    t.is(got, status, path)
    t.is(body.error.code, status)
    t.regex(body.error.message, /^OPERATION_NOT_ALLOWED : /)
  }
  const preflight = await api.ask('OPTIONS', `${accounts}/v1/accounts:signInWithIdp`, {
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
  })
  t.deepEqual(
    [preflight.status, preflight.headers.get('access-control-allow-origin')],
    [204, 'https://app.example.com'],
  )
  t.is(outcomeOf(await api.ask('GET', '/nowhere')), '404 route.unknown')
})
