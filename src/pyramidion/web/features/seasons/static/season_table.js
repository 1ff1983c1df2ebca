// A season at its tables. Most pages of tables belong to no season, or to nobody who reads its conversations.
import "./portraits.js";
if (document.getElementById("season-talk")) import("./talk.js");
