/** Writes what a user installs into the folder that is named; for the Dockerfile, in a built checkout. */
import { writePackage } from './package-files.ts'

const [folder, source = ''] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: write-package FOLDER [URL of the repository]')
writePackage(process.cwd(), folder, source)
