import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { zippedAsset } from '../../http/pages/asset.ts'

/** The script of the panel, its charts included, compressed: made of `browser/` when the rest is built. */
export const PANEL_SCRIPT = 'panel.js.gz'

const MARK_CHARS = 12
const unzip = promisify(gunzip)

/** The script as it is sent. */
export interface SentScript {
  readonly bytes: Uint8Array
  readonly isZipped: boolean
}

/** The script, compressed by gzip where the browser takes that. */
export const panelScript = async (takesGzip: boolean): Promise<SentScript> => {
  const zipped = await zippedAsset(PANEL_SCRIPT)
  return { bytes: takesGzip ? zipped : await unzip(zipped), isZipped: takesGzip }
}

/** What tells one script from that of another release, which browsers may still have. */
export const scriptMark = async (): Promise<string> =>
  createHash('sha256')
    .update(await zippedAsset(PANEL_SCRIPT))
    .digest('hex')
    .slice(0, MARK_CHARS)
