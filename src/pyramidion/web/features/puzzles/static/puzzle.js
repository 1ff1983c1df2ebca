// A puzzle's page: the board is touched as at a table, and an action is the answer.
import "./motion.js";
import { refresh, rest } from "./paths.js";
import "./sheets.js";
import { underline } from "./terms.js";
import { settleZoom } from "./zoom.js";

refresh();
rest();
settleZoom();
underline();
