import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import test from 'ava'
import { clients } from '../../../../core/real-estate/records/client.ts'
import { companies } from '../../../../core/real-estate/records/company.ts'
import { properties } from '../../../../core/real-estate/records/property.ts'
import { users } from '../../../../core/real-estate/records/user.ts'
import { openEstateApi } from '../test-api.ts'

const HERE = 'API=http://127.0.0.1:3001\n'

test('what README says of an empty machine works there, line by line', async (t) => {
  const readme = await readFile('README.md', 'utf8')
  const [, script = ''] = /### The agency\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? []
  t.true(script.startsWith(HERE))
  const api = await openEstateApi(t, { usualIdentity: true })
  const { stdout } = await promisify(execFile)('bash', ['-euc', script.replace(HERE, `API=${api.url}\n`)])
  const [[user], [company], [client], [property]] = await Promise.all([
    api.every(users),
    api.every(companies),
    api.every(clients),
    api.every(properties),
  ])
  t.like(user, { email: 'ana@example.com', role: 'Admin', companyId: company?.id })
  t.like(company, { legalName: 'Aurora Ltda.', taxId: '11222333000181' })
  t.like(client, { name: 'Diego Rocha', taxId: '12345678909', companyId: company?.id })
  t.like(property, { code: 'AP-101', ownerId: client?.id, companyId: company?.id })
  const listed = JSON.parse(stdout.slice(stdout.lastIndexOf('{"data"')))
  t.like(listed, { total: 1, data: [{ id: property?.id, status: 'Available' }] })
})
