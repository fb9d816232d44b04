import type { OpenMirror } from '../../adapters/mirror/mod.ts'
import { CannotStart, type PorticoSettings } from '../host/environment.ts'

type Wanted = Pick<PorticoSettings, 'FIRESTORE_PROJECT' | 'FIRESTORE_EMULATOR_HOST'>

/** The mirror that the settings name, or null. Throws `CannotStart` where its library was not installed. */
export const openMirror = async ({
  FIRESTORE_PROJECT: projectId,
  FIRESTORE_EMULATOR_HOST: emulatorHost,
}: Wanted): Promise<OpenMirror | null> => {
  if (projectId === null) return null
  const { firestoreMirror } = await firestore()
  return firestoreMirror({ projectId, emulatorHost })
}

/** Its library is there only where it was installed. */
const firestore = async () => {
  try {
    return await import('../../adapters/mirror/mod.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    throw new CannotStart('FIRESTORE_PROJECT: its library is not installed: npm install @google-cloud/firestore')
  }
}
