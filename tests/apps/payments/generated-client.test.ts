// Runs in test:long only.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { ROOT } from '../../root.ts'
import { openTestApi } from './test-api.ts'

// A program of a client developer, checked by the compiler against types that are generated from the document.
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const worked = <D>({ data, error }: { data?: D; error?: { error_code?: string } }): D => {
  if (data === undefined) throw new Error(error?.error_code)
  return data
}

export const firstCharge = async (baseUrl: string) => {
  const api = createClient<paths>({ baseUrl })
  const [email, password] = ['ana@escola.example', 'segredo-123']
  worked(
    await api.POST('/v1/auth/register', { body: { name: 'Ana', email, password, password_confirmation: password } }),
  )
  const session = worked(await api.POST('/v1/auth/login', { body: { email, password } })).data
  // A person with a second factor gets a challenge instead.
  if (!('access_token' in session)) throw new Error(session.challenge)
  const { access_token: token } = session
  api.use({ onRequest: ({ request }) => request.headers.set('Authorization', \`Bearer \${token}\`) })
  const { organization } = worked(
    await api.POST('/v1/organizations', { body: { name: 'Escola', email, document: '11222333000181' } }),
  )
  const header = { 'Idempotency-Key': 'pedido-1', 'X-Organization-Id': organization.uuid }
  const issued = worked(
    await api.POST('/invoices', {
      params: { header },
      body: {
        value: 150.5,
        payment_method: 'PIX',
        due_date: '2099-12-31',
        name: 'Maria da Silva',
        email: 'maria@example.com',
        document: '12345678909',
      },
    }),
  )
  const at = (id: string) => api.GET('/invoices/{id}', { params: { path: { id }, header } })
  const read = worked(await at(\`\${issued.data.id}\`)).data
  const { error } = await at('999')
  // @ts-expect-error: this route has no such failure.
  const isWrong = error?.error_code === 'client.unknown'
  return [read.value, read.client.name, read.status.title, error?.error_code === 'charge.unknown', isWrong]
}
`

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

test('a client generated from the document registers, signs in, creates an organization, issues a charge and reads it', async (t) => {
  const { url, ask } = await openTestApi(t)
  const { body: document } = await ask('GET', '/openapi.json')
  await mkdir(join(ROOT, 'build'), { recursive: true })
  const folder = await mkdtemp(join(ROOT, 'build/client-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'schema.ts'), astToString(await openapiTS(document)))
  const file = join(folder, 'program.ts')
  await writeFile(file, PROGRAM)
  const wrong = ts.getPreEmitDiagnostics(ts.createProgram([file], OPTIONS))
  t.deepEqual(
    wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  )
  const { outputText } = ts.transpileModule(PROGRAM, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  })
  await writeFile(join(folder, 'program.js'), outputText)
  const program: { firstCharge(url: string): Promise<unknown> } = await import(
    pathToFileURL(join(folder, 'program.js')).href
  )
  t.deepEqual(await program.firstCharge(url), [150.5, 'Maria da Silva', 'pending', true, false])
})
