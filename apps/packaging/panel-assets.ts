import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Options } from 'tsup'
import { PANEL_SCRIPT } from '../real-estate/panel/panel-script.ts'

const { resolve } = createRequire(join(process.cwd(), 'package.json'))

/** The files whose packages go into the script of the panel. */
export const panelAssetFiles: readonly string[] = [resolve('chart.js'), resolve('@kurkle/color')]

/** Makes the script of the panel, its charts included, and puts it beside what is built, as it is sent. */
export const panelAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'panel-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      const { outputFiles } = await building.esbuild.build({
        entryPoints: [join(process.cwd(), 'apps/real-estate/panel/browser/main.ts')],
        bundle: true,
        minify: true,
        format: 'iife',
        platform: 'browser',
        target: 'es2022',
        write: false,
        legalComments: 'none',
      })
      await mkdir(folder, { recursive: true })
      for (const { contents } of outputFiles) await writeFile(join(folder, PANEL_SCRIPT), gzipSync(contents))
    })
  },
}
