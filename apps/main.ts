import { run } from './host/run.ts'
import { payments } from './payments/startable.ts'
import { realEstate } from './real-estate/startable.ts'

const somebody = () => `ana+${Date.now()}@example.com`

const register = (url: string) => {
  const body = {
    name: 'Ana Souza',
    email: somebody(),
    password: 'segredo-123',
    password_confirmation: 'segredo-123',
  }
  return `curl -s ${url}/v1/auth/register -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}

await run([payments, realEstate], (urls) => {
  const { payments: pay = '', 'real-estate': estate = '' } = urls
  process.stdout.write(
    [
      '',
      `  Portico: payments     ${pay}`,
      `  Portico: real estate  ${estate}`,
      `  Documentation         ${pay}/docs`,
      '',
      '  Register somebody:',
      `  ${register(pay)}`,
      '',
      '',
    ].join('\n'),
  )
})
