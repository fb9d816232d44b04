import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnvironment } from '../host/environment.ts'
import { openHost } from '../host/host.ts'
import { runProgram } from '../host/program.ts'
import { startPayments } from '../payments/app.ts'
import { payments } from '../payments/startable.ts'
import { hasColors } from './colors.ts'
import { receiver } from './receiver.ts'
import { say, story } from './story.ts'

const demo = async (directory: string): Promise<void> => {
  const settings = readEnvironment({
    DATA_DIR: directory,
    STORE_URL: `sqlite:${join(directory, 'portico.db')}`,
    PAYMENTS_PORT: '0',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'silent',
  })
  const host = await openHost(settings, [payments], say)
  const app = await startPayments(host)
  const merchant = await receiver()
  try {
    say(`Portico on a fresh store in ${directory}`)
    say()
    await story(app.url, merchant, { colors: hasColors(process.env, process.stdout.isTTY) })
  } finally {
    await app.stop()
    await host.close()
    await merchant.close()
  }
}

await runProgram(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-demo-'))
  await demo(directory).finally(() => rm(directory, { recursive: true }))
})
