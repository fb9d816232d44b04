import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { PNG } from 'pngjs'
import { openFiles } from '../../../apps/host/open-store.ts'
import { registrations } from '../../../core/payments/registrations/registration.ts'
import { bytesIn } from '../../contracts/files.ts'
import { type Answer, openTestApi, PASSWORD, wrongFields } from './test-api.ts'

const MARIA = { name: 'Maria', email: 'maria@example.com', address: 'Rua A, 1', document: '529.982.247-25' }
const png = (width = 2, height = 2) => Buffer.from(PNG.sync.write(new PNG({ width, height })))
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)

const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const post = (path: string, body: unknown) => api.ask('POST', `/access/${path}`, { body })
  const begin = async (over: Partial<typeof MARIA> = {}) => {
    const { status, body, text } = await post('register', { ...MARIA, ...over })
    if (status !== 200 || !body.success) throw new Error(text)
    return { document: body.data.document as string, register_id: body.data.id as number }
  }
  const mailTo = async (email: string) => {
    await api.drain()
    return api.mailer.sent.findLast(({ to }) => to === email)?.text ?? ''
  }
  const lettersTo = async (email: string) => /^[A-Z]{4}$/m.exec(await mailTo(email))?.[0] ?? ''
  const upload = async (fields: Record<string, string | number>, files: Record<string, Uint8Array> = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, `${value}`)
    // The name of a file does not decide its type.
    for (const [name, bytes] of Object.entries(files)) form.append(name, new File([Buffer.from(bytes)], `${name}.txt`))
    const response = await fetch(`${api.url}/access/register/images`, { method: 'POST', body: form })
    const body: Answer['body'] = await response.json()
    return { status: response.status, body }
  }
  const confirmed = async (over: Partial<typeof MARIA> = {}) => {
    const pair = await begin(over)
    const { status } = await post('register/verify', { ...pair, code: await lettersTo(over.email ?? MARIA.email) })
    if (status !== 200) throw new Error('not confirmed')
    return pair
  }
  return { ...api, post, begin, mailTo, lettersTo, upload, confirmed }
}

test('opens an account from the first request to the first sign-in', async (t) => {
  const { post, begin, lettersTo, mailTo, upload, ask } = await open(t)
  const begun = await post('register', MARIA)
  const record = {
    id: 1,
    document: '52998224725',
    email: MARIA.email,
    name: 'Maria',
    address: 'Rua A, 1',
    account_type: 'PF',
    account_status: 'PENDING_EMAIL',
    created_at: '2026-11-23T10:05:09-03:00',
  }
  t.deepEqual(
    [begun.status, begun.body],
    [200, { code: 200, success: true, data: record, message: 'Abertura de Conta Realizada' }],
  )
  const pair = { document: MARIA.document, register_id: 1 }
  const confirmed = await post('register/verify', { ...pair, code: (await lettersTo(MARIA.email)).toLowerCase() })
  t.deepEqual([confirmed.status, confirmed.body.message], [200, 'E-mail validado'])
  t.deepEqual(confirmed.body.data, { ...record, account_status: 'PENDING_DOCUMENTS' })

  const sent = await upload(pair, { image01: png(), image02: JPEG })
  t.deepEqual([sent.status, sent.body.message], [200, 'Imagens Enviadas'])
  t.deepEqual(sent.body.data, { ...record, account_status: 'APPROVED' })
  const status = await ask('GET', '/access/register/status?document=52998224725')
  const { address: _, created_at: __, ...shown } = record
  t.deepEqual(status.body.data, { ...shown, account_status: 'APPROVED' })

  const token = /^https:\/\/pay\.example\.com\/password\?token=(\w{43})$/m.exec(await mailTo(MARIA.email))?.[1]
  const credentials = { email: MARIA.email, password: PASSWORD }
  t.is((await post('auth/login', credentials)).status, 401)
  const reset = await post('auth/reset', { token, password: PASSWORD, password_confirmation: PASSWORD })
  t.deepEqual(reset.body, { message: 'Senha foi redefinida com sucesso' })
  const { token: session } = (await post('auth/login', credentials)).body
  const me = (await ask('GET', '/access/auth/me', { token: session })).body
  t.like(me.account, { name: 'Maria', document: '52998224725', status: { code: 1, title: 'Ativa' } })
  t.like(me.user, { email: MARIA.email, document: '52998224725' })
  t.is(me.role.name, 'ADMIN')
  t.is((await ask('GET', '/v1/organizations', { token: session })).body.organizations[0].status, 'ACTIVE')
  await t.throwsAsync(begin())
})

test('stores the images privately, for every process', async (t) => {
  const { confirmed, upload, every, host, ask } = await open(t)
  await upload(await confirmed(), { image01: png(), image02: JPEG })
  const [kept] = await every(registrations)
  // Opens them as another process does.
  const files = openFiles(host.store, host.settings)
  t.true((await bytesIn(await files.open(kept?.image1Id ?? '')))?.equals(png()))
  t.true((await bytesIn(await files.open(kept?.image2Id ?? '')))?.equals(JPEG))
  const onDisk = await readdir(join(host.settings.DATA_DIR, 'files')).catch(() => [])
  const isShared = process.env.TEST_MONGODB_URL !== undefined
  t.deepEqual(onDisk.sort(), isShared ? [] : [kept?.image1Id ?? '', kept?.image2Id ?? ''].sort())
  for (const path of ['/files', '/storage', '/storage/logos', '/access/register/images'])
    t.not((await ask('GET', `${path}/${kept?.image1Id}`)).status, 200, path)
})

test('replies with success false to a malformed document, and 422 to a wrong one', async (t) => {
  const { post, begin, every, ask } = await open(t)
  for (const document of ['1', '529982247250', '...']) {
    const { status, body } = await post('register', { ...MARIA, document })
    const message = 'Documento inválido. Informe um CPF ou CNPJ.'
    t.deepEqual([status, body], [200, { code: 200, success: false, message, error_code: 'document.kind' }], document)
  }
  for (const document of ['52998224726', 'ABCDEFGHIJKLMN'])
    t.deepEqual(wrongFields(await post('register', { ...MARIA, name: '', document })), ['name', 'document'], document)
  // Other invalid fields take precedence.
  t.deepEqual(Object.keys((await post('register', { ...MARIA, document: '1', email: 'x' })).body.errors), ['email'])
  t.deepEqual(await every(registrations), [])
  t.is((await begin({ document: '12.abc.345/01de-35' })).document, '12ABC34501DE35')
  const { status, body } = await ask('GET', '/access/register/status?document=12ABC34501DE35')
  t.deepEqual([status, body.data.account_type], [200, 'PJ'])
})

test('limits the look-up to twenty a minute and address', async (t) => {
  const { ask, clock, begin } = await open(t)
  await begin()
  const look = () => ask('GET', '/access/register/status?document=52998224725')
  for (let times = 1; times <= 20; times += 1) t.is((await look()).status, 200, `${times}`)
  const over = await look()
  t.is(over.status, 429)
  t.true(Number(over.headers.get('retry-after')) > 0)
  clock.advance(60)
  t.is((await look()).status, 200)
})

test('registers in one request, and rejects an account type that does not match the document', async (t) => {
  const { post, ask } = await open(t)
  const ana = { name: 'Ana', email: 'ana@example.com', document: '11.222.333/0001-81', password: '12345' }
  const wrong = [{ account_type: 'PF' }, { account_type: 'pj' }, { bank_id: 1 }, { document: '1' }]
  for (const over of wrong)
    t.deepEqual(wrongFields(await post('register-full', { ...ana, ...over })), Object.keys(over), JSON.stringify(over))
  const made = await post('register-full', { ...ana, account_type: 'PJ' })
  t.deepEqual([made.status, made.body.message], [201, 'Cadastrado com sucesso'])
  const { data } = made.body
  t.deepEqual(Object.keys(data), ['token', 'time', 'account', 'user', 'roles'])
  t.is(data.time, 3600)
  const account = (await ask('GET', '/access/account', { token: data.token })).body.account
  t.deepEqual(account, data.account)
  t.is((await post('account/get-token', { email: ana.email, token: account.token })).status, 200)
  t.is((await post('auth/login', { email: ana.email, password: '12345' })).status, 200)
  t.deepEqual(wrongFields(await post('register-full', ana)), ['email', 'document'])
})
