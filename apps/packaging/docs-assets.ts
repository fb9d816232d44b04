import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Options } from 'tsup'
import { REFERENCE } from '../http/pages/asset.ts'

const { resolve } = createRequire(join(process.cwd(), 'package.json'))

/** The files whose packages are served. */
export const docsAssetFiles: readonly string[] = [resolve('@scalar/fastify-api-reference')]

/**
 * The script of the documentation page, as a server of theirs gives it: the package for these brings it whole, where the
 * renderer's own brings the 366 packages that it is made of.
 */
const referenceScript = async (): Promise<string> => {
  const server = fastify()
  await server.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await server.inject('/docs/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`the script of the documentation page: ${statusCode}`)
  return body.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '')
}

/** Puts it beside what is built, as it is sent. */
export const docsAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'docs-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, REFERENCE), gzipSync(await referenceScript()))
    })
  },
}
