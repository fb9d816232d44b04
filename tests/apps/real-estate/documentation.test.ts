import test from 'ava'
import { guidesOf } from '../../../apps/real-estate/catalogue.ts'
import { hasProgram, runGuides, temporaryFolder, unknownNames } from '../guides.ts'
import { describedSuite } from '../rows/described.ts'
import { openEstateApi } from './test-api.ts'

test('the commands of the guides, run in order, print the shown replies', async (t) => {
  if (!(await hasProgram(t, 'curl'))) return
  const api = await openEstateApi(t, { usualIdentity: true })
  const cwd = await temporaryFolder(t)
  await runGuides(t, { guides: guidesOf(api.url, true), cwd, before: api.drain })
})

test('the document begins with the guides, which name only existing routes and fields, with and without the issuer', async (t) => {
  const { body } = await (await openEstateApi(t, { usualIdentity: true })).ask('GET', '/openapi.json')
  const [own, foreign] = [true, false].map((hasIssuer) => guidesOf(body.servers[1].url, hasIssuer))
  t.is(body.info.description, own)
  t.notRegex(foreign ?? '', /accounts:signUp|\$API\/identitytoolkit/)
  for (const guides of [own, foreign]) t.deepEqual(unknownNames(guides ?? '', body), [])
})

describedSuite(openEstateApi, { paths: 10, schemas: 10, parameters: 10 })
