// Notification settings: suggests the browser's time zone.
import { guess } from "./device_alerts.js";

const zone = document.getElementById("zone");
document.getElementById("guess").value = guess;
if (zone.dataset.zone === "UTC" && [...zone.options].some((one) => one.value === guess)) zone.value = guess;
