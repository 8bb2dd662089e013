// Before all pages: the data directory that theirs are copies of.
//
//   node build/api/docs/seed.js
import { keepDataDirectory } from "./world.js";

await keepDataDirectory();
